/// The value of a word of memory, as a program writes it: `true`, `-3`.
package enum WordText {
    /// - Parameter isBoolean: whether the word is declared as a boolean.
    package static func text(_ word: some BinaryInteger, isBoolean: Bool) -> String {
        isBoolean ? word == 0 ? "false" : "true" : "\(word)"
    }

    /// An address of which nothing else is known: `null`, `0x7f00a0`.
    package static func text(ofAddress word: some FixedWidthInteger) -> String {
        word == 0 ? "null" : "0x" + String(UInt64(truncatingIfNeeded: word), radix: 16)
    }
}
