/// An error in JSON: its position, and what was expected there.
package struct JSONError: Error, Equatable {
    /// Index of the byte.
    package var offset: Int
    package var expected: String
    /// The input ends here; more bytes could have made it valid.
    package var isAtEnd: Bool
}
