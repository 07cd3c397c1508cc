import Trace

/// An assertion of the scenario failed. The run ends.
public struct AssertionFailed: Error, Sendable, CustomStringConvertible {
    public let description: String
    package let site: SourceSite

    package init(_ message: String, at site: SourceSite) {
        description = message
        self.site = site
    }
}
