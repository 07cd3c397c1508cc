/// What a command line asks for.
package enum Request: Sendable, Equatable {
    case help(HelpTopic)
    case version
    case command(ParsedArguments)
    /// A completion script asks how the last of these words can be completed: `Tool.completions(of:scenarios:)`.
    case complete([String])
}
