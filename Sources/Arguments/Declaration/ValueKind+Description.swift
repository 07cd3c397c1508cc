import Text

extension ValueKind {
    /// What a word must be, as it follows "must be": `a whole number from 1 to 64`.
    package var description: String {
        switch self {
        case .flag: "nothing"
        case .integer: ["a whole number", limits].compactMap { $0 }.joined(separator: " ")
        case .seed: "a whole number from 0 to \(UInt64.max)"
        case .duration: ["a time such as 10s, 250ms or 1.5s", limits].compactMap { $0 }.joined(separator: ", ")
        case .choice(let words): Self.either(words.map(\.text.printable))
        case .text, .word: "text"
        case .file: "a path"
        case .scenario, .scenarioOrFile: "a scenario or a path"
        }
    }

    /// `from 1 to 64`. Nil if only the type limits it.
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

    /// `text, lanes or json`.
    package static func either(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "nothing" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}
