import Arguments

/// One command: what it is called and takes, and what it does.
protocol Action {
    static var command: Command { get }
    static func run(_ arguments: ParsedArguments, in session: Session) throws -> ExitCode
}
