/// Why a call of this library could not be carried out, or, outside a test, what it found.
public struct TestingError: Error, CustomStringConvertible, Sendable {
    public let description: String

    init(_ description: String) { self.description = description }
}
