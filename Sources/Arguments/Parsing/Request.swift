/// What a command line asks for.
package enum Request: Sendable, Equatable {
    case help(HelpTopic)
    case version
    /// The manual page in mdoc(7): `Tool.manPage`.
    case manPage
    case command(ParsedArguments)
    /// A completion script asks how the last of these words can be completed: `Tool.completions(of:scenarios:)`.
    case complete([String])
}
