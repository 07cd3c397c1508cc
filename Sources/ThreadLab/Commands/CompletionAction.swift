import Arguments

/// `threadlab completion SHELL`
enum CompletionAction: Action {
    static let command = Command(
        "completion", "Print a script that completes commands, scenarios and options in your shell",
        positionals: [Positional("SHELL", .choice(["bash", "zsh", "fish"]), "The shell", .required)],
        examples: [Example("completion bash > ~/.local/share/bash-completion/completions/threadlab", "for bash")])

    static func run(_ arguments: ParsedArguments, in session: Session) throws -> ExitCode {
        let script = CompletionScript(rawValue: arguments.text("SHELL")!)!
        try StandardOutput.write(script.text(tool: session.program))
        return .expected
    }
}
