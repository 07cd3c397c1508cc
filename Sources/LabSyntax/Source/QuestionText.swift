/// A program's text as a question to a learner ("can this fail?"), without the parts that reveal how its runs end.
extension SourceText {
    /// The numbered lines without the scenario's name and the comments before it, without expectations and the comments
    /// directly before them, and without blank lines at both ends.
    package var linesOfQuestion: [(number: Int, text: String)] {
        let hidden = expectations
        let first = lastLineOfTitle + 1
        var lines: [(number: Int, text: String)] = []
        for number in stride(from: first, through: lineCount, by: 1) {
            let range = range(ofLine: number)
            guard hidden.contains(where: { $0.start < range.upperBound && $0.end > range.lowerBound }) else {
                lines.append((number, text(Span(range.lowerBound, range.upperBound))))
                continue
            }
            let rest = text(outside: hidden, range)
            if !rest.isEmpty {
                lines.append((number, rest))
            } else {
                while lines.last?.text.isComment == true { lines.removeLast() }
            }
        }
        return lines.withoutBlankEnds
    }

    /// The last line of the part at the top that is left out: the line of `scenario`, or the line before it if other
    /// code follows on it. Without `scenario`, the line before the first code.
    private var lastLineOfTitle: Int {
        for number in 1...lineCount {
            let range = range(ofLine: number)
            let line = text(Span(range.lowerBound, range.upperBound)).drop(while: \.isWhitespace)
            if line.isEmpty || line.isComment { continue }
            return line.hasPrefix(Keyword.scenario.rawValue) && !line.contains(";") ? number : number - 1
        }
        return 0
    }

    /// The spans of the expectations, from the word `expect` on.
    private var expectations: [Span] {
        (syntax().file?.items ?? []).compactMap { item in
            guard case .expect(let claim) = item else { return nil }
            let word = Keyword.expect.rawValue
            var start = claim.span.start
            while start > 0, bytes[start - 1] == UInt8(ascii: " ") || bytes[start - 1] == UInt8(ascii: "\n") {
                start -= 1
            }
            // An invariant is part of the program: the run fails where it does not hold.
            guard start >= word.utf8.count, text(Span(start - word.utf8.count, start)) == word else { return nil }
            return Span(start - word.utf8.count, claim.span.end)
        }
    }

    /// What remains of a line without the hidden parts. Empty if only a comment remains.
    private func text(outside hidden: [Span], _ line: Range<Int>) -> String {
        let isHidden = { (place: Int) in hidden.contains { ($0.start..<$0.end).contains(place) } }
        let rest = String(decoding: line.filter { !isHidden($0) }.map { bytes[$0] }, as: UTF8.self)
        let code = rest.drop { $0.isWhitespace || $0 == ";" }
        return code.isEmpty || code.isComment ? "" : rest
    }
}

extension StringProtocol {
    fileprivate var isComment: Bool { drop(while: \.isWhitespace).hasPrefix("//") }
}

extension [(number: Int, text: String)] {
    fileprivate var withoutBlankEnds: Self {
        let isBlank = { (line: Element) in line.text.allSatisfy(\.isWhitespace) }
        var lines = Array(drop(while: isBlank))
        while lines.last.map(isBlank) == true { lines.removeLast() }
        return lines
    }
}
