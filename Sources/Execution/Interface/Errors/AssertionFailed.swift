import Trace

/// A statement that a scenario made about itself turned out to be false. The run ends.
public struct AssertionFailed: Error, Sendable, CustomStringConvertible {
    public let description: String
    package let site: SourceSite

    package init(_ message: String, at site: SourceSite) {
        description = message
        self.site = site
    }
}
