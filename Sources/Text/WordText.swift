/// The value of a word of memory, as a program writes it: `true`, `-3`.
package enum WordText {
    /// - Parameter isBoolean: whether the word is declared as a boolean.
    package static func text(_ word: some BinaryInteger, isBoolean: Bool) -> String {
        isBoolean ? word == 0 ? "false" : "true" : "\(word)"
    }
}
