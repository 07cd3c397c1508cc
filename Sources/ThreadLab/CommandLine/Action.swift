import Arguments

/// A command: its declaration and its action.
protocol Action {
    static var command: Command { get }
    static func run(_ arguments: ParsedArguments, in session: Session) throws -> ExitCode
}
