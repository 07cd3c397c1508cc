/// A process could not be started.
public struct ProcessFailed: Error, Sendable, CustomStringConvertible {
    public let description: String

    package init(_ description: String) { self.description = description }
}
