/// The topic of a help text.
package enum HelpTopic: Sendable, Equatable {
    case tool
    /// With the options of a scenario, if one was named.
    case command(String, scenario: String?)
    /// One of the tool's pages, which the caller shows.
    case page(String)
}
