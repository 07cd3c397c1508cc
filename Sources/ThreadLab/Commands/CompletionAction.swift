import Arguments

/// `threadlab completion SHELL`
enum CompletionAction: Action {
    private static let shell = TypedPositional.choice(CompletionScript.self, "SHELL", "The shell")

    static let command = Command(
        "completion", "Print a script that completes commands, scenarios and options in your shell",
        positionals: [shell],
        examples: [Example("completion bash > ~/.local/share/bash-completion/completions/threadlab", "for bash")])

    static func run(_ arguments: ParsedArguments, in session: Session) throws -> ExitCode {
        try StandardOutput.write(arguments[shell].text(tool: session.program))
        return .expected
    }
}
