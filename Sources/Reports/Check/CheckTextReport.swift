import Diagnosis
import Trace

/// The check report for people: one line per scenario, then the failures in full, and the totals.
///
/// A line has the verdict, the duration, the scenario's name, and a remark: the evidence, or what is wrong.
package struct CheckTextReport {
    package enum Form: Sendable {
        /// One line per scenario, with all evidence, however long.
        case full
        /// Lines that fit the width, with the verdict in a few words.
        case brief
    }

    private let options: ReportOptions
    private let form: Form
    /// Whether only failures have lines.
    private let isQuiet: Bool
    /// The number of the slowest scenarios to list.
    private let slowest: Int
    private let nameWidth: Int
    /// The folder with which all names begin. Brief lines leave it out.
    private let folder: String

    /// The maximum width of the column of names in full lines. In brief lines it is what the remark leaves, but at
    /// least `narrowestName`.
    private static let widestName = 48
    private static let narrowestName = 16
    /// The minimum width of the remark beside the name in a brief line.
    private static let narrowestRemark = 36
    /// Where the lines of details begin.
    private static let detailIndent = 2
    /// The minimum widths of text that is wrapped or clipped, and of a sentence at the end.
    private static let narrowestText = 20
    private static let narrowestPremise = 40
    /// The columns at which the seconds end, in brief and in full lines.
    private static let briefTimeEnd = 11
    private static let fullTimeEnd = 15
    private static let gap = 2
    /// From this number of detailed failures on, their names are repeated at the end: the first have scrolled away.
    private static let fewestRepeated = 4

    /// - Parameters:
    ///   - names: the names of all scenarios, to set the column width.
    ///   - slowest: the number of the slowest scenarios to list at the end.
    package init(
        names: [String], _ options: ReportOptions, form: Form = .full, isQuiet: Bool = false, slowest: Int = 0
    ) {
        self.slowest = slowest
        self.options = options
        self.form = form
        self.isQuiet = isQuiet
        let folder = form == .brief ? Self.commonFolder(of: names) : ""
        self.folder = folder
        let briefRoom = options.width - Self.briefTimeEnd - 2 * Self.gap - Self.narrowestRemark
        let widest = form == .brief ? max(Self.narrowestName, briefRoom) : Self.widestName
        nameWidth = min(
            names.lazy.map { Label(Self.shown($0, without: folder, form), ascii: options.ascii).width }.max() ?? 0,
            widest)
    }

    /// The column at which the seconds end.
    private var timeEnd: Int { form == .brief ? Self.briefTimeEnd : Self.fullTimeEnd }

    /// The line of one scenario.
    package func write(_ scenario: CheckedScenario, to sink: inout ByteSink) {
        guard let (word, color) = Self.mark(scenario), !isQuiet || scenario.isFailure else { return }
        var line = Line(options)
        let seconds = scenario.duration.seconds(digits: 2)
        line.put(Label(form == .brief ? word.uppercased() : word), at: 0, color, to: &sink)
        line.put(Label(form == .brief ? "\(seconds)s" : "\(seconds) s"), before: timeEnd, .dim, to: &sink)
        let start = timeEnd + Self.gap
        let remark = label(remark(scenario))
        guard form == .brief else {
            line.put(label(scenario.name), at: start, to: &sink)
            line.put(remark, at: start + nameWidth + Self.gap, to: &sink)
            return line.end(to: &sink)
        }
        // A remark that does not fit beside the name begins below it.
        let column = start + nameWidth + Self.gap
        let fits = column + remark.width <= options.width
        let place = fits ? column : start
        let name = label(Self.shown(scenario.name, without: folder, form))
        let room = fits ? nameWidth : max(options.width - start, nameWidth)
        line.put(name.clippedInMiddle(to: room, ascii: options.ascii), at: start, to: &sink)
        if !fits { line.end(to: &sink) }
        for piece in remark.pieces(within: max(options.width - place, Self.narrowestText)) {
            line.put(piece, at: place, to: &sink)
            line.end(to: &sink)
        }
    }

    /// Writes the failures, the slowest scenarios and the totals.
    ///
    /// - Parameter duration: the duration of the whole check, in nanoseconds.
    package func writeEnd(
        _ scenarios: [CheckedScenario], duration: UInt64, isInterrupted: Bool, to sink: inout ByteSink
    ) {
        let detailed = scenarios.filter { $0.isFailure && isDetailed($0) }
        for scenario in detailed {
            sink.endLine()
            writeFailure(scenario, to: &sink)
        }
        if detailed.count >= Self.fewestRepeated { writeNames(detailed, to: &sink) }
        writeSlowest(scenarios, to: &sink)
        let tally = CheckTally(scenarios)
        var line = Line(options)
        if !isQuiet || !tally.isGood { line.end(to: &sink) }
        if isInterrupted { line.put(Label("interrupted:"), at: 0, .bad, to: &sink) }
        line.put(Label(tally.description), at: 0, tally.isGood ? .good : .bad, to: &sink)
        line.put(Label("(\(duration.seconds(digits: 1)) s)"), at: 0, .dim, to: &sink)
        line.end(to: &sink)
        if isQuiet { return }
        if scenarios.contains(where: \.isProvedByStepsAlone) { writePremise(Self.premiseOfSteps, to: &sink) }
        if scenarios.contains(where: \.isProvedAsCompiled) { writePremise(Self.premiseOfCompiling, to: &sink) }
    }

    /// Writes the names of failures, as many on a line as fit.
    private func writeNames(_ failures: [CheckedScenario], to sink: inout ByteSink) {
        sink.endLine()
        let names = failures.map(\.name).joined(separator: ", ")
        for piece in label("Not passed: \(names)").pieces(within: max(options.width, Self.narrowestPremise)) {
            var line = Line(options)
            line.put(piece, at: 0, .bad, to: &sink)
            line.end(to: &sink)
        }
    }

    private func writeSlowest(_ scenarios: [CheckedScenario], to sink: inout ByteSink) {
        let longest = scenarios.enumerated()
            .sorted { ($1.element.duration, $0.offset) < ($0.element.duration, $1.offset) }.prefix(slowest)
        guard !longest.isEmpty else { return }
        sink.endLine()
        var line = Line(options)
        line.put(Label("longest:"), at: 0, .dim, to: &sink)
        line.end(to: &sink)
        for (_, scenario) in longest {
            line.put(Label("\(scenario.duration.seconds(digits: 2)) s"), before: timeEnd, .dim, to: &sink)
            line.put(label(scenario.name), at: timeEnd + Self.gap, to: &sink)
            line.end(to: &sink)
        }
    }

    private func writePremise(_ premise: String, to sink: inout ByteSink) {
        for piece in label(premise).pieces(within: max(options.width, Self.narrowestPremise)) {
            var line = Line(options)
            line.put(piece, at: 0, .dim, to: &sink)
            line.end(to: &sink)
        }
    }

    /// Printed if a scenario in Swift was proved. Proofs of `.lab` programs need no such premise, because all accesses
    /// of their memory are steps.
    private static let premiseOfSteps =
        "Proofs of Swift scenarios are about the lab's steps: plain variables are no steps, and were not looked at."

    /// Printed if a compiled program was proved. `explore` says the same in similar words (`CompiledProgram`).
    private static let premiseOfCompiling =
        "Proofs of compiled programs are about what the compiler tells of them: not of assembly, nor of structures that calls "
        + "pass or return, nor of '__builtin_memset' of a constant size. No memory was allocated at the address of a freed block."

    /// The progress line on a terminal, without its line end.
    package func progress(done: Int, of count: Int, failed: Int, now names: [String]) -> String {
        let failures = failed > 0 ? ", \(failed) failed" : ""
        let text = "\(done) of \(count)\(failures): \(names.joined(separator: ", "))"
        return label(text).clipped(to: max(options.width - 1, Self.narrowestText), ascii: options.ascii).text
    }

    // MARK: - Lines

    private func label(_ text: String) -> Label { Label(text, ascii: options.ascii) }

    /// The common folder with its slash; empty if there is none.
    private static func commonFolder(of names: [String]) -> String {
        guard var common = names.first?[...] else { return "" }
        for name in names { common = common.commonPrefix(with: name) }
        return common.lastIndex(of: "/").map { String(common[...$0]) } ?? ""
    }

    /// The name as its column shows it: in brief lines without the common folder and without `.lab`.
    private static func shown(_ name: String, without folder: String, _ form: Form) -> String {
        guard form == .brief else { return name }
        let name = name.dropFirst(folder.count)
        let suffix = ".lab"
        return String(name.hasSuffix(suffix) && name.count > suffix.count ? name.dropLast(suffix.count) : name)
    }

    /// The word for the verdict at the beginning of a line, and its color. Nil: a scenario that was not run has no
    /// line.
    private static func mark(_ scenario: CheckedScenario) -> (String, Color)? {
        if scenario.isKnown { return ("known", .doubtful) }
        switch scenario.verdict {
        case .asExpected:
            let search = scenario.evidence.first { $0.runtime == .controlled }
            return ("pass", search?.isProof == false ? .doubtful : .good)
        case .mismatched, .evading, .stale, .lostProof: return ("FAIL", .bad)
        case .undecided: return ("OPEN", .doubtful)
        case .wrong: return ("WRONG", .bad)
        case .error: return ("ERROR", .bad)
        case .notRun: return nil
        }
    }

    private func remark(_ scenario: CheckedScenario) -> String {
        switch scenario.verdict {
        case .asExpected, .notRun:
            form == .brief ? BriefWords.summary(scenario) : EvidenceWords.summary(scenario)
        case .evading(let differences):
            "not as the task requires: " + differences[0].message
                + (differences.count > 1 ? ", and \(differences.count - 1) more" : "")
        case .undecided(let flaws):
            flaws.first.map { EvidenceWords.sentence($0.mismatch) } ?? ""
        case .mismatched(let flaws):
            BriefWords.contrast(scenario, flaws) + (scenario.trace.map { "; trace: \($0)" } ?? "")
        case .wrong(let text), .error(let text), .stale(let text), .lostProof(let text): text.firstLine
        }
    }

    /// Whether the scenario needs more text than its line.
    private func isDetailed(_ scenario: CheckedScenario) -> Bool {
        switch scenario.verdict {
        case .mismatched, .evading, .undecided: return true
        case .asExpected, .wrong, .stale, .lostProof, .error, .notRun: break
        }
        return CheckStory(scenario).lines.count > 1
    }

    private func writeFailure(_ scenario: CheckedScenario, to sink: inout ByteSink) {
        var line = Line(options)
        line.put(Label(Self.mark(scenario)?.0 ?? ""), at: 0, .bad, to: &sink)
        line.put(label(scenario.name), at: 0, .bold, to: &sink)
        line.end(to: &sink)
        if let expectation = scenario.expectation { write(.words("expected: \(expectation)"), &line, to: &sink) }
        for detail in CheckStory(scenario).lines { write(detail, &line, to: &sink) }
    }

    private func write(_ detail: CheckStory.Line, _ line: inout Line, to sink: inout ByteSink) {
        guard form == .brief, case .words(let text, let indent) = detail else {
            line.put(label(detail.text), at: Self.detailIndent, to: &sink)
            return line.end(to: &sink)
        }
        for piece in label(text).pieces(within: max(options.width - Self.detailIndent - indent, Self.narrowestText)) {
            line.put(piece, at: Self.detailIndent + indent, to: &sink)
            line.end(to: &sink)
        }
    }
}

extension String {
    var firstLine: String { String(prefix { !$0.isNewline }) }
}

extension Substring {
    fileprivate func commonPrefix(with other: String) -> Substring {
        prefix(zip(self, other).prefix { $0 == $1 }.count)
    }
}
