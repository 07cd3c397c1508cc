/// The result of a run of tests, from the output of Swift Testing.
struct TestReport {
    /// An issue or a warning that a test recorded.
    struct Issue {
        /// The test's name.
        let test: String
        /// The lines of the message.
        var lines: [String] = []
    }

    /// The issues in the order of recording.
    private(set) var issues: [Issue] = []
    /// The warnings in the order of recording.
    private(set) var warnings: [Issue] = []
    /// The number of tests, if all were run and passed. Nil: not all passed, or there were none.
    private(set) var passed: Int?

    /// The event to which the following lines belong, until another event begins.
    private enum Part { case issue, warning, other }

    /// - Parameter output: the output of a test program without a terminal.
    init(_ output: String) {
        var part = Part.other
        for line in output.split(separator: "\n", omittingEmptySubsequences: false) {
            if let (isWarning, test) = Self.recorded(line) {
                part = isWarning ? .warning : .issue
                if isWarning { warnings.append(Issue(test: test)) } else { issues.append(Issue(test: test)) }
            } else if Self.beginsEvent(line) {
                part = .other
                if let count = line.firstMatch(of: /Test run with (\d+) tests? .*passed/) { passed = Int(count.1) }
            } else {
                // An arrow or two spaces begin the lines of a message.
                let text = line.hasPrefix("↳ ") ? line.dropFirst(2) : line.hasPrefix("  ") ? line.dropFirst(2) : line
                switch part {
                case .issue: issues[issues.count - 1].lines.append(String(text))
                case .warning: warnings[warnings.count - 1].lines.append(String(text))
                case .other: break
                }
            }
        }
        if passed == 0 { passed = nil }
        for number in issues.indices { issues[number].dropBlankEnd() }
        for number in warnings.indices { warnings[number].dropBlankEnd() }
    }

    /// Whether the line begins an event of the test run: it has a symbol, such as `✔`, and `Test`, `Suite` or
    /// `Attached` after it. All other lines continue the event before.
    private static func beginsEvent(_ line: Substring) -> Bool {
        line.prefixMatch(of: /[◇✔✘⚠⎙➜]\S* (Test|Suite|Attached)/) != nil
    }

    /// Whether an issue or a warning was recorded, and the test's name. Nil: the line says something else.
    private static func recorded(_ line: Substring) -> (isWarning: Bool, test: String)? {
        guard let match = line.prefixMatch(of: /\S+ Test (.+?) recorded (an issue|a warning)\b/), beginsEvent(line)
        else {
            return nil
        }
        let name = match.1.hasPrefix("\"") && match.1.hasSuffix("\"") ? match.1.dropFirst().dropLast() : match.1
        return (match.2 == "a warning", String(name))
    }
}

extension TestReport.Issue {
    fileprivate mutating func dropBlankEnd() {
        while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    }
}
