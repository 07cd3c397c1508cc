import Trace

/// An operation of a `.lab` program failed, such as taking a value from an empty list: the run ends with the outcome
/// `error`.
package struct ProgramError: Error, Sendable, CustomStringConvertible {
    package let description: String
    package let site: SourceSite

    package init(_ message: String, at site: SourceSite) {
        description = message
        self.site = site
    }
}
