import Arguments

/// `threadlab completion SHELL`
enum CompletionAction: Action {
    struct Options: OptionGroup {
        let shell = TypedPositional.choice(CompletionScript.self, "SHELL", "The shell")
    }

    static let command = TypedCommand(
        "completion", "Print a script that completes commands, scenarios and options in your shell",
        options: Options(),
        examples: [Example("completion bash > ~/.local/share/bash-completion/completions/threadlab", "for bash")])

    static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        try StandardOutput.write(arguments.shell.text(tool: session.program))
        return .expected
    }
}
