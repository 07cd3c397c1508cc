/// Writes and parses the printable form of a schedule, such as `0x4,1=2`.
extension Schedule: CustomStringConvertible {
    /// The printable form. It consists of digits, `x`, `,` and `=`, so that it needs no quotation marks in a shell.
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

    /// Why a text is not a schedule.
    package struct ParseError: Error, Equatable, CustomStringConvertible {
        /// One sentence for the user.
        package let message: String

        package var description: String { message }
    }

    /// The greatest number of choices that are read: the greatest step limit of a run (`Rules.mostSteps`).
    package static let maximumLength = 10_000_000

    /// Parses the printable form.
    package init(parsing text: String) throws(ParseError) {
        var choices: [Choice] = []
        for (position, part) in text.split(separator: ",", omittingEmptySubsequences: false).enumerated() {
            let pieces = part.split(separator: "=", omittingEmptySubsequences: false)
            let run = pieces[0].split(separator: "x", omittingEmptySubsequences: false)
            guard let thread = run.first.flatMap({ Self.number($0, to: Int(UInt16.max)) }), run.count <= 2 else {
                throw ParseError(message: "part \(position + 1), '\(part)', is not a thread's number like 2 or 2x5")
            }
            let room = Self.maximumLength - choices.count
            guard let count = run.count == 2 ? Self.number(run[1], to: room) : min(1, room), count > 0 else {
                throw ParseError(message: "part \(position + 1), '\(part)', has no valid number of steps")
            }
            choices.append(contentsOf: repeatElement(.thread(UInt16(thread)), count: count))
            for piece in pieces.dropFirst() {
                guard let way = Self.number(piece, to: Choice.mostAlternatives) else {
                    throw ParseError(message: "part \(position + 1), '\(part)', has no number after '='")
                }
                guard choices.count < Self.maximumLength else {
                    throw ParseError(message: "part \(position + 1) is one of more than \(Self.maximumLength) choices")
                }
                choices.append(.alternative(way))
            }
        }
        self.init(choices)
    }

    /// A number in decimal digits, without a sign, up to a limit. Nil: the text is no such number.
    private static func number(_ text: Substring, to limit: Int) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), number <= limit else {
            return nil
        }
        return number
    }
}
