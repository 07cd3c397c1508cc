/// A program's text as a question, without the parts that reveal how its runs end.
extension SourceText {
    /// The numbered lines without the scenario's name and the comments before it, without expectations and the comments
    /// directly before them, and without blank lines at both ends.
    package var linesOfQuestion: [(number: Int, text: String)] {
        let hidden = expectations
        let first = lineOfTitle + 1
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

    /// The line of `scenario`, if only comments and blank lines precede it; otherwise 0.
    private var lineOfTitle: Int {
        for number in 1...lineCount {
            let range = range(ofLine: number)
            let line = text(Span(range.lowerBound, range.upperBound)).drop(while: \.isWhitespace)
            if line.isEmpty || line.isComment { continue }
            return line.hasPrefix(Keyword.scenario.rawValue) && !line.contains(";") ? number : number - 1
        }
        return 0
    }

    /// The spans of the expectations, with the word `expect`.
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

    /// The rest of a line, without a comment that follows a hidden part.
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
