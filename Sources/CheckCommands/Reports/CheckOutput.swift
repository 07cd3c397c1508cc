import Arguments
import Console
import Glibc
import Reports
import Trace

/// What a check prints on standard output, as text, TAP or JSON. A result is printed when all results before it are
/// known, so the order of the scenarios does not depend on which ends first.
struct CheckOutput {
    enum Form { case text, tap, json }

    private let form: Form
    private let names: [String]
    private let report: CheckTextReport
    /// The folder from which annotations for GitHub name files. Nil: there are no annotations.
    private let annotated: NamingFolder?
    /// The line below the results.
    private var status: StatusLine
    /// Whether the check continues, for the sake of its other reports, if standard output cannot be written to.
    private let outlivesReader: Bool
    /// Why standard output could not be written to.
    private var failure: StandardOutput.Failure?
    /// The results that are known, in the order of the names.
    private var scenarios: [CheckedScenario?]
    /// The number of results that are printed.
    private var printed = 0
    private let begin = RecordingClock.nanoseconds()

    /// - Parameter outlivesReader: whether the check has other results than those on standard output.
    init(
        _ arguments: TypedArguments<CheckReportOptions>, _ session: Session, names: [String], folder: NamingFolder,
        outlivesReader: Bool
    ) throws(Complaint) {
        form = arguments.tap ? .tap : arguments.format == .json ? .json : .text
        let options = arguments.options
        for option in [\CheckReportOptions.quiet, \.verbose, \.gitHub] where form == .json && arguments.isGiven(option)
        {
            let spelling = options[keyPath: option].spelling
            throw Complaint("\(spelling) cannot be combined with \(options.format.spelling) json")
        }
        self.names = names
        let terminal = session.terminal
        report = CheckTextReport(
            names: names, terminal.reportOptions(arguments.color),
            form: terminal.isTerminal && !arguments.verbose ? .brief : .full,
            isQuiet: arguments.quiet, slowest: arguments.durations ?? 0)
        annotated = arguments.gitHub ? folder : nil
        // A status line would disturb a pager that shows the results.
        status = StatusLine(every: 50_000_000, isWanted: form == .text && terminal.isTerminal)
        self.outlivesReader = outlivesReader
        scenarios = Array(repeating: nil, count: names.count)
    }

    /// All results. A scenario without one counts as not run.
    var results: [CheckedScenario] {
        zip(names, scenarios).map { name, scenario in scenario ?? CheckedScenario(name, .notRun) }
    }

    var duration: UInt64 { RecordingClock.nanoseconds() - begin }

    mutating func start() throws(Complaint) {
        guard form == .tap else { return }
        let count = names.count
        try put { TAPReport().writeBegin(count: count, to: &$0) }
    }

    /// Records the result of a scenario, and prints all results whose turn it is.
    mutating func note(_ number: Int, _ scenario: CheckedScenario) throws(Complaint) {
        scenarios[number] = scenario
        let first = printed
        while printed < scenarios.count, scenarios[printed] != nil { printed += 1 }
        // `output` is a copy, because the closure cannot use `self` while `put` may change it.
        let (ready, output) = (scenarios[first..<printed].compactMap(\.self), self)
        guard !ready.isEmpty else { return }
        status.clear()
        try put { sink in
            for (offset, scenario) in ready.enumerated() {
                output.write(scenario, number: first + offset + 1, to: &sink)
            }
        }
    }

    private func write(_ scenario: CheckedScenario, number: Int, to sink: inout ByteSink) {
        switch form {
        case .text: report.write(scenario, to: &sink)
        case .tap: TAPReport().write(scenario, number: number, to: &sink)
        case .json: break
        }
    }

    /// Shows the progress on a terminal.
    ///
    /// - Parameter running: the numbers of the scenarios that are running.
    mutating func progress(_ running: [Int]) {
        guard status.isDue else { return }
        let done = scenarios.compactMap(\.self)
        status.show(
            report.progress(
                done: done.count, of: names.count, failed: done.count(where: \.isFailure),
                now: running.map { names[$0] }))
    }

    /// Prints the remaining results and the totals.
    ///
    /// - Parameter duration: the duration of the whole check, in nanoseconds.
    mutating func end(isInterrupted: Bool, duration: UInt64) throws(Complaint) {
        status.clear()
        let (results, output) = (results, self)
        printed = results.count
        try put { sink in
            for number in output.printed..<results.count {
                output.write(results[number], number: number + 1, to: &sink)
            }
            output.writeEnd(results, duration, isInterrupted: isInterrupted, to: &sink)
        }
    }

    private func writeEnd(
        _ results: [CheckedScenario], _ duration: UInt64, isInterrupted: Bool, to sink: inout ByteSink
    ) {
        switch form {
        case .text:
            report.writeEnd(results, duration: duration, isInterrupted: isInterrupted, to: &sink)
            guard let annotated else { return }
            let report = GitHubReport(root: JobSummary.root, names: annotated.path)
            for scenario in results { report.writeAnnotation(scenario, to: &sink) }
        case .tap: TAPReport().writeEnd(isInterrupted: isInterrupted, to: &sink)
        case .json: CheckJSONReport(results, duration: duration, isInterrupted: isInterrupted).write(to: &sink)
        }
    }

    // MARK: - When standard output cannot be written to

    /// Writes to standard output. If the check outlives its reader, a failure is kept for `finish`.
    private mutating func put(_ body: (inout ByteSink) -> Void) throws(Complaint) {
        guard outlivesReader else { return try StandardOutput.write(body) }
        if failure == nil { failure = StandardOutput.attempt(body) }
    }

    /// Must be called after everything else is written. Throws, or ends the process by `SIGPIPE`, if standard output
    /// could not be written to.
    func finish() throws(Complaint) { try failure?.report() }
}
