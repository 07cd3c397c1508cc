import Arguments

/// `threadlab completion SHELL`
enum CompletionAction: Action {
    struct Options: OptionGroup {
        let shell: Listed<CompletionScript>

        init(_ list: inout OptionList) {
            shell = list.one(of: CompletionScript.self, "SHELL", "The shell")
        }
    }

    static let command = TypedCommand<Options>(
        "completion", "Print a script that completes commands, scenarios and options in your shell",
        examples: [Example("completion bash > ~/.local/share/bash-completion/completions/threadlab", "for bash")])

    static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        try StandardOutput.write(arguments.shell.text(tool: session.program))
        return .expected
    }
}
