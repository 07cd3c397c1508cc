import Arguments

/// A command: its declaration and its action.
protocol Action {
    associatedtype Options: OptionGroup
    static var command: TypedCommand<Options> { get }
    static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode
}

extension Action {
    static var declaration: Command { command.command }

    static func run(_ arguments: ParsedArguments, in session: Session) throws -> ExitCode {
        try run(command.read(arguments), in: session)
    }
}
