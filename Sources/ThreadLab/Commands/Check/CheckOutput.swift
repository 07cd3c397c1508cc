import Glibc
import Reports
import Trace

/// The output of a check, while it runs and at its end. Scenarios appear in their order, whichever finishes first.
struct CheckOutput {
    enum Form { case text, tap, json }

    private let form: Form
    private let names: [String]
    private let report: CheckTextReport
    /// Whether a line at the bottom of the terminal shows the progress.
    private let showsProgress: Bool
    private var scenarios: [CheckedScenario?]
    private var printed = 0
    private let begin = RecordingClock.nanoseconds()

    init(_ form: Form, names: [String], _ terminal: Terminal, _ colour: Terminal.ColourChoice) {
        self.form = form
        self.names = names
        let options = ReportOptions(
            width: terminal.columns, colour: terminal.usesColour(colour), ascii: !terminal.drawsLines)
        report = CheckTextReport(names: names, options)
        showsProgress = form == .text && terminal.showsProgress
        scenarios = Array(repeating: nil, count: names.count)
    }

    /// The results; scenarios that were not run are marked as such.
    var results: [CheckedScenario] {
        zip(names, scenarios).map { name, scenario in scenario ?? CheckedScenario(name, .notRun) }
    }

    var duration: UInt64 { RecordingClock.nanoseconds() - begin }

    func start() throws(Complaint) {
        guard form == .tap else { return }
        try StandardOutput.write { TAPReport().writeBegin(count: names.count, to: &$0) }
    }

    /// Records the result of a scenario, and prints all results whose turn it is.
    mutating func note(_ number: Int, _ scenario: CheckedScenario) throws(Complaint) {
        scenarios[number] = scenario
        try StandardOutput.write { sink in
            while printed < scenarios.count, let next = scenarios[printed] {
                printed += 1
                write(next, number: printed, to: &sink)
            }
        }
    }

    private func write(_ scenario: CheckedScenario, number: Int, to sink: inout ByteSink) {
        switch form {
        case .text:
            clearProgress(to: &sink)
            report.write(scenario, to: &sink)
        case .tap: TAPReport().write(scenario, number: number, to: &sink)
        case .json: break
        }
    }

    /// Shows the progress on a terminal.
    ///
    /// - Parameter running: the numbers of the scenarios that are running.
    func progress(_ running: [Int]) throws(Complaint) {
        guard showsProgress else { return }
        let done = scenarios.compactMap(\.self)
        let line = report.progress(
            done: done.count, of: names.count, failed: done.count { $0.verdict.isFailure },
            now: running.map { names[$0] })
        try StandardOutput.write("\r\(line)\u{1B}[K")
    }

    private func clearProgress(to sink: inout ByteSink) { if showsProgress { sink.write("\r\u{1B}[K") } }

    mutating func end(isInterrupted: Bool) throws(Complaint) {
        let results = results
        try StandardOutput.write { sink in
            for number in printed..<results.count { write(results[number], number: number + 1, to: &sink) }
            switch form {
            case .text:
                clearProgress(to: &sink)
                report.writeEnd(results, duration: duration, isInterrupted: isInterrupted, to: &sink)
            case .tap: TAPReport().writeEnd(isInterrupted: isInterrupted, to: &sink)
            case .json:
                CheckJSONReport(results, duration: duration, isInterrupted: isInterrupted).write(to: &sink)
            }
        }
        printed = results.count
    }
}
