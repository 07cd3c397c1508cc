/// Bytes that are no JSON: where, and what should have stood there.
package struct JSONError: Error, Equatable {
    /// Index of the byte.
    package var offset: Int
    package var expected: String
    /// The bytes stop here. More of them could have made it right.
    package var isAtEnd: Bool
}
