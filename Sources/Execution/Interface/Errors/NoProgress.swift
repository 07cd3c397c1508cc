import Trace

/// A thread gives up after a long time without progress: the run ends with the outcome `livelock`.
public struct NoProgress: Error, Sendable, CustomStringConvertible {
    public let description: String
    package let site: SourceSite

    public init(_ message: String, file: StaticString = #fileID, line: UInt = #line) {
        description = message
        site = SourceSite(file, line)
    }

    package init(_ message: String, at site: SourceSite) {
        description = message
        self.site = site
    }
}
