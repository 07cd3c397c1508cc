extension Schedule: CustomStringConvertible {
    /// The printable form. Made of digits, `x`, `,` and `=` only, so that no shell needs it quoted.
    package var description: String {
        var text = ""
        var index = 0
        while index < choices.count {
            let choice = choices[index]
            if choice.isAlternative {
                text += "=\(choice.index)"
                index += 1
                continue
            }
            var end = index + 1
            while end < choices.count && choices[end] == choice { end += 1 }
            if !text.isEmpty { text += "," }
            text += end - index > 1 ? "\(choice.index)x\(end - index)" : "\(choice.index)"
            index = end
        }
        return text
    }

    /// What is wrong with a schedule's text.
    package struct ParseError: Error, Equatable {
        /// One sentence for the person who typed it.
        package let message: String
    }

    /// The longest schedule that is read, in steps: as many as the longest run may take.
    package static let maximumLength = 10_000_000

    /// Reads the printable form.
    package init(parsing text: String) throws(ParseError) {
        var choices: [Choice] = []
        for (position, part) in text.split(separator: ",", omittingEmptySubsequences: false).enumerated() {
            let pieces = part.split(separator: "=", omittingEmptySubsequences: false)
            let run = pieces[0].split(separator: "x", omittingEmptySubsequences: false)
            guard let thread = run.first.flatMap({ UInt16($0) }), run.count <= 2 else {
                throw ParseError(message: "part \(position + 1), '\(part)', is not a thread's number like 2 or 2x5")
            }
            let count = run.count == 2 ? Int(run[1]) ?? 0 : 1
            guard count > 0, choices.count + count <= Self.maximumLength else {
                throw ParseError(message: "part \(position + 1), '\(part)', has no sensible count of steps")
            }
            choices.append(contentsOf: repeatElement(.thread(thread), count: count))
            for piece in pieces.dropFirst() {
                guard let way = UInt32(piece), way < 1 << 30 else {
                    throw ParseError(message: "part \(position + 1), '\(part)', has no number after '='")
                }
                choices.append(.alternative(Int(way)))
            }
        }
        self.init(choices)
    }
}
