import Text

/// The kind of value that an option or a positional takes. Parsing, error messages, help and completion are all derived
/// from it.
package enum ValueKind: Hashable, Sendable {
    /// No value: the option's presence is the value.
    case flag
    case integer(ClosedRange<Int>)
    /// Any `UInt64`.
    case seed
    /// A duration in nanoseconds, written `10s`, `250ms`, `1.5s`.
    case duration(ClosedRange<UInt64>)
    case choice([KnownWord])
    case text
    /// Any text. Completion offers the words of a vocabulary.
    case word(Vocabulary)
    /// A path. The file need not exist.
    case file
    /// The name of a known scenario, the path of a scenario's file, which is any word with a slash or a dot in it, or
    /// `-` for standard input.
    case scenario
    /// A scenario, or the path of some other file.
    case scenarioOrFile
    /// A scenario, or a word of a vocabulary. It is for commands that accept no options of scenarios.
    case scenarioOrWord(Vocabulary)

    package var takesValue: Bool { self != .flag }

    /// Whether the word can be the scenario of a command line, which adds options of its own.
    package var canBeScenario: Bool { self == .scenario || self == .scenarioOrFile }
}

extension ValueKind {
    /// What a word of this kind must be, for messages with "must be …": `a whole number from 1 to 64`.
    package var description: String {
        switch self {
        case .flag: "nothing"
        case .integer: ["a whole number", limits].compactMap { $0 }.joined(separator: " ")
        case .seed: "a whole number from 0 to \(UInt64.max)"
        case .duration: ["a time such as 10s, 250ms or 1.5s", limits].compactMap { $0 }.joined(separator: ", ")
        case .choice(let words): Self.either(words.map(\.text.printable))
        case .text, .word: "text"
        case .file: "a path"
        case .scenario, .scenarioOrFile, .scenarioOrWord: "a scenario or a path"
        }
    }

    /// The range of an integer or a duration in words: `from 1 to 64`. Nil if nothing limits the value.
    package var limits: String? {
        switch self {
        case .integer(let range):
            switch (range.lowerBound, range.upperBound) {
            case (Int.min, Int.max): nil
            case (let low, Int.max): "at least \(low)"
            case (Int.min, let high): "at most \(high)"
            case (let low, let high): "from \(low) to \(high)"
            }
        case .duration(let range):
            switch (range.lowerBound, range.upperBound) {
            case (0, UInt64.max): nil
            case (let low, UInt64.max): "at least \(DurationText.write(low))"
            case (0, let high): "at most \(DurationText.write(high))"
            case (let low, let high): "from \(DurationText.write(low)) to \(DurationText.write(high))"
            }
        default: nil
        }
    }

    /// The words as alternatives: `text, lanes or json`.
    package static func either(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "nothing" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }

    /// The value that the word represents; nil if the word is not of this kind.
    package func read(_ word: String) -> Value? {
        switch self {
        case .flag: nil
        case .integer(let range): Int(word).flatMap { range.contains($0) ? .integer($0) : nil }
        case .seed: UInt64(word).map { .seed($0) }
        case .duration(let range): DurationText.read(word).flatMap { range.contains($0) ? .duration($0) : nil }
        case .choice(let words): words.contains { $0.text == word } ? .text(word) : nil
        case .text, .word: .text(word)
        case .file, .scenario, .scenarioOrFile, .scenarioOrWord: word.isEmpty ? nil : .text(word)
        }
    }
}

/// The value of a word on a command line.
package enum Value: Hashable, Sendable {
    case integer(Int)
    case seed(UInt64)
    /// In nanoseconds.
    case duration(UInt64)
    /// A choice, a path, a scenario or free text.
    case text(String)

    /// The word that has this value on a command line.
    package var word: String {
        switch self {
        case .integer(let number): String(number)
        case .seed(let number): String(number)
        case .duration(let nanoseconds): DurationText.write(nanoseconds)
        case .text(let text): text
        }
    }
}
