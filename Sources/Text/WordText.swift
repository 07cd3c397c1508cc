/// A word of memory as the program writes it.
package enum WordText {
    /// - Parameter isBoolean: whether the word is declared as a boolean.
    package static func text(_ word: some BinaryInteger, isBoolean: Bool) -> String {
        isBoolean ? word == 0 ? "false" : "true" : "\(word)"
    }
}
