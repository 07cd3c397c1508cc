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

/// A claim that the program makes about its runs does not hold. The run ends.
package struct ClaimFailed: Error, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether the program itself calls the claim broken.
    package let isBroken: Bool
    package let site: SourceSite

    package init(_ message: String, isBroken: Bool, at site: SourceSite) {
        description = message
        self.isBroken = isBroken
        self.site = site
    }

    package var event: EventKind { isBroken ? .claimBroken : .claimFailed }
}
