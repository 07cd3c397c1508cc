/// The errors of a command line. `message` describes each to the user.
package enum ArgumentError: Error, Equatable {
    case noCommand(tool: String)
    case unknownCommand(String, tool: String, suggestion: String?)
    case unknownScenario(String, suggestion: String?, hint: String)
    /// The context is the command, with its scenario if there is one: `run deadlock`.
    case unknownOption(String, context: String, suggestion: String?)
    /// An option of a command comes before it.
    case optionBeforeCommand(corrected: String)
    case exclusive(String, String)
    case missingValue(Option)
    case valueOfFlag(String, Option)
    /// The word is not of the required kind. The place is `--seed` or `NAME`.
    case unfitting(String, place: String, kind: ValueKind)
    case missingPositional(Positional, context: String)
    case surplus(String, context: String)
    /// Two words could each be the scenario, depending on which of them is.
    case unclearScenario(String, String)
}
