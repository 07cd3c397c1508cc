import Glibc
import Testing

/// A program that has ended, and the test's expectations. Each expectation returns the same value, for the next one.
struct Ended {
    let code: Int32?
    let signal: Int32?
    let output: String
    let errors: String

    /// - Parameter status: as `waitpid` gives it.
    init(status: Int32, output: [UInt8], errors: String) {
        signal = status & 0x7F == 0 ? nil : status & 0x7F
        code = status & 0x7F == 0 ? status >> 8 & 0xFF : nil
        self.output = String(decoding: output, as: UTF8.self)
        self.errors = errors
    }

    var lines: [Substring] { output.split(separator: "\n") }

    private func note(_ isMet: Bool, _ text: @autoclosure () -> String, _ location: SourceLocation) -> Self {
        if !isMet { Issue.record("\(text())\noutput: \(output)\nerrors: \(errors)", sourceLocation: location) }
        return self
    }

    @discardableResult
    func exits(with code: Int32, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        let end = self.code.map { "exited with \($0)" } ?? "was killed by signal \(signal ?? 0)"
        return note(self.code == code, "it \(end), not with \(code)", sourceLocation)
    }

    /// It succeeded without complaints.
    @discardableResult
    func succeeds(sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        exits(with: 0, sourceLocation: sourceLocation).isSilent(sourceLocation: sourceLocation)
    }

    @discardableResult
    func dies(of signal: Int32, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        note(self.signal == signal, "it ended by \(self.signal ?? 0), not by signal \(signal)", sourceLocation)
    }

    /// Nothing on standard error.
    @discardableResult
    func isSilent(sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        note(errors.isEmpty, "it complains", sourceLocation)
    }

    /// Nothing on standard output.
    @discardableResult
    func printsNothing(sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        note(output.isEmpty, "it prints something", sourceLocation)
    }

    @discardableResult
    func prints(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        note(output.contains(text), "it does not print '\(text)'", sourceLocation)
    }

    @discardableResult
    func doesNotPrint(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        note(!output.contains(text), "it prints '\(text)'", sourceLocation)
    }

    /// Exactly this line on standard error, after the program's name.
    @discardableResult
    func complains(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        note(errors == "threadlab: \(text)\n", "it does not complain '\(text)'", sourceLocation)
    }

    /// One line on standard error that contains this and nothing that a terminal would act on.
    @discardableResult
    func complainsInOneLine(about text: String, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        let isOneLine = errors.hasSuffix("\n") && errors.utf8.dropLast().allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        return note(isOneLine && errors.contains(text), "it does not complain of '\(text)'", sourceLocation)
    }

    /// Nothing that a terminal would act on, other than colors.
    @discardableResult
    func isSafeToShow(sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        let hazards = output.unicodeScalars.filter {
            $0 != "\n" && ($0.value < 0x20 || $0 == "\u{7F}" || $0 == "\u{202E}")
        }
        return note(hazards.isEmpty, "it prints what a terminal acts on", sourceLocation)
    }

    /// Each line is JSON.
    @discardableResult
    func printsJSONLines(sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        let bad = lines.first { !isJSON(String($0)) }
        return note(!lines.isEmpty && bad == nil, "not JSON: \(bad ?? "nothing")", sourceLocation)
    }
}
