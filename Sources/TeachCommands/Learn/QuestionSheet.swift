import Arguments
import Console
import Course
import Text

/// A question of a lesson as text for a terminal, the prompt for the reader's answer, and the right answer.
struct QuestionSheet {
    private let question: Question
    private let number: Int
    private let layout: Layout

    init(_ question: Question, number: Int, _ layout: Layout) {
        self.question = question
        self.number = number
        self.layout = layout
    }

    var text: String {
        var lines = layout.wrap("Question \(number). \(plain(question.text))")
        lines += question.options.enumerated().map { "  \(letter($0.offset))  \(plain($0.element))".printable }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Reads the reader's answer, and asks again if it is not understood.
    ///
    /// - Returns: the indices of the options that the reader has chosen. Nil: the reader wants to see the answer, or
    ///   the input has ended.
    func ask() throws(Complaint) -> Set<Int>? {
        let prompt = question.isYesOrNo ? "a or b" : "letters such as a or ac"
        while true {
            try StandardOutput.write("Your answer (\(prompt); Enter shows it): ")
            guard let line = TypedLine.read() else {
                try StandardOutput.write("\n")
                return nil
            }
            let letters = line.lowercased().filter { !$0.isWhitespace && $0 != "," }
            if letters.isEmpty { return nil }
            let chosen = letters.map { letter in question.options.indices.first { self.letter($0) == String(letter) } }
            if chosen.allSatisfy({ $0 != nil }) { return Set(chosen.compactMap(\.self)) }
            try StandardOutput.write("The letters are a to \(letter(question.options.count - 1)).\n")
        }
    }

    /// The right answer. `!` marks the options about which the reader was wrong.
    ///
    /// - Parameters:
    ///   - guess: the indices of the options that the reader has chosen. Nil: the reader has not answered.
    ///   - tally: counts the reader's answer.
    ///   - replay: returns the command that shows a schedule.
    func text(of answer: Answer, guess: Set<Int>?, tally: inout QuizTally, replay: (String) -> String) -> String {
        var lines: [String] = []
        let right = Set(answer.options.indices.filter { answer.options[$0].isRight })
        if let guess {
            tally.answered += 1
            if guess == right { tally.right += 1 }
            lines.append(guess == right ? "Right." : "Not quite.")
        }
        for (index, option) in answer.options.enumerated() where !question.isYesOrNo || option.isRight {
            let mark = guess.map { $0.contains(index) == option.isRight ? " " : "!" } ?? " "
            let verdict = question.isYesOrNo ? "" : option.isRight ? ": yes" : ": no"
            lines.append(" \(mark)\(letter(index))  \(plain(option.text))\(verdict)".printable)
            if let schedule = option.schedule { lines.append("      \(replay(schedule))".printable) }
        }
        lines += layout.wrap((question.reason.map { plain($0) + " " } ?? "") + "(Looked at: \(answer.extent).)")
        return lines.map { $0 + "\n" }.joined()
    }

    private func letter(_ index: Int) -> String { String(UnicodeScalar(UInt8(ascii: "a") + UInt8(index))) }

    /// The text with code in quotation marks, because a terminal has no other sign for it.
    private func plain(_ markdown: String) -> String { String(markdown.map { $0 == "`" ? "'" : $0 }) }
}
