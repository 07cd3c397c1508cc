import Text

extension ValueKind {
    /// The value that the word represents; nil if the word is not of this kind.
    package func read(_ word: String) -> Value? {
        switch self {
        case .flag: nil
        case .integer(let range): Int(word).flatMap { range.contains($0) ? .integer($0) : nil }
        case .seed: UInt64(word).map { .seed($0) }
        case .duration(let range): DurationText.read(word).flatMap { range.contains($0) ? .duration($0) : nil }
        case .choice(let words): words.contains { $0.text == word } ? .text(word) : nil
        case .text, .word: .text(word)
        case .file, .scenario, .scenarioOrFile: word.isEmpty ? nil : .text(word)
        }
    }
}
