import Authoring
import Console
import Glibc
import Supervision
import Trace

/// The runs of `run --runs N`, and how they ended.
///
/// Controlled runs without a line of output share a few processes, which is much faster (`RepetitionSupervisor`). Every
/// other run has a process of its own.
struct Repetition {
    private let plan: RunPlan
    private let count: Int
    private let output: TraceOutput
    /// Whether each run has a line of output.
    private let hasLines: Bool
    private var report: RepetitionReport

    /// With at most this number of runs, each has a line by default.
    static let fewRuns = 100

    init(_ plan: RunPlan, count: Int, output: TraceOutput) {
        self.plan = plan
        self.count = count
        self.output = output
        hasLines = output.isFormatChosen ? output.format != .none : count <= Self.fewRuns
        report = RepetitionReport(plan, count: count, hasLines: hasLines, output: output)
    }

    mutating func run() throws -> ExitCode {
        if case .controlled(let seed) = plan.mode, !hasLines {
            // If runs in one process influence each other, they are all made again, each in a process of its own.
            if try !runTogether(seed) {
                report = RepetitionReport(plan, count: count, hasLines: hasLines, output: output)
                report.isUnrepeatable = true
                try runOneByOne()
            }
        } else {
            try runOneByOne()
        }
        try StandardOutput.write { report.write(to: &$0) }
        if let trace = report.example?.trace {
            try output.save(trace)
            try output.savePage(trace, of: plan.scenario)
        }
        return report.code
    }

    // MARK: - In a few processes

    /// - Returns: false if a run in a process with others differs from the same run in a process of its own.
    private mutating func runTogether(_ seed: UInt64) throws -> Bool {
        let all = RepetitionPlan(
            plan.scenario, rules: plan.rules, seed: seed, count: count, timeout: plan.timeout,
            jobs: min(count, Processors.count))
        var line = RepetitionLine(count)
        defer { line.clear() }
        let result = try RepetitionSupervisor.run(all) { line.show($0) }
        guard !result.isUnrepeatable else { return false }
        report.tally = result.tally
        report.signal = result.signal
        guard try traceExamples(all) else { return false }
        try examineRuns(all)
        return true
    }

    /// Repeats the first run of each outcome in a process of its own, and keeps its trace. An interruption ends this.
    ///
    /// - Returns: false if one of them has another outcome there.
    /// - Throws: if that happens in a program whose code is all threadlab's, which cannot be the program's doing.
    private mutating func traceExamples(_ all: RepetitionPlan) throws -> Bool {
        for kind in report.tally.kinds {
            // After an interruption, the user does not want to wait for a run that hangs until its time limit.
            guard let number = report.tally[kind]?.first, report.signal == nil || kind != .timeout else { continue }
            var plan = all.run(number)
            plan.isSilent = true
            let trace = try output.supervise(plan, saves: false, shows: false).trace
            if let signal = trace.interruption {
                report.signal = signal
                return true
            }
            guard let seen = trace.outcome?.kind, seen != kind else {
                report.add(trace)
                continue
            }
            guard !all.scenario.runsOwnCode else { return false }
            throw SupervisionFailed.internalError(
                "a run among others ended in '\(kind.rawValue)', the same run alone in '\(seen.rawValue)'",
                repeatedBy: all.scenario.replayArguments(trace.header))
        }
        return true
    }

    /// Repeats the first runs (see `RandomRuns` for how many) with all detectors, which also find what does not decide
    /// how a run ends, such as locks that are taken in opposite orders.
    private mutating func examineRuns(_ all: RepetitionPlan) throws {
        guard report.signal == nil, output.examines(all.scenario) else { return }
        var search = SearchPlan(all.scenario)
        search.rules = all.rules
        search.settings.seed = all.seed
        search.executions = count
        var runs = RandomRuns(search)
        while report.signal == nil, let run = try runs.next() {
            report.signal = run.trace.interruption
            if report.signal == nil { report.addFindings(of: run, runs.count - 1) }
        }
    }

    // MARK: - One by one

    private mutating func runOneByOne() throws {
        // A signal that arrives between two runs must not end this process: it ends the repetition, and the report is
        // still written.
        let signals = BlockedSignals([SIGINT, SIGTERM, SIGHUP])
        defer { signals.restore() }
        var line = RepetitionLine(count, isWanted: !hasLines)
        defer { line.clear() }
        var plan = plan
        for number in 0..<count {
            if case .controlled(let seed) = plan.mode, number > 0 { plan.mode = .controlled(seed: seed &+ 1) }
            let run = try output.supervise(plan, saves: false, shows: false)
            guard let kind = run.trace.outcome?.kind else { continue }
            report.tally.add(kind, first: number)
            report.add(run.trace)
            report.addFindings(of: run, number)
            line.show(report.tally)
            if hasLines { try StandardOutput.write { report.writeLine(number, run.trace, to: &$0) } }
            report.signal = run.trace.interruption ?? signals.wait(nanoseconds: 0)
            if report.signal != nil { return }
        }
    }
}

/// The status line of many runs: how many are done, how many a second, the time left, and their outcomes so far.
struct RepetitionLine {
    private let count: Int
    private var line: StatusLine

    init(_ count: Int, isWanted: Bool = true) {
        self.count = count
        line = StatusLine(isWanted: isWanted)
    }

    mutating func show(_ tally: OutcomeTally) {
        if line.isDue { line.show(text(tally)) }
    }

    mutating func clear() { line.clear() }

    private func text(_ tally: OutcomeTally) -> String {
        let seconds = Double(line.elapsed) / 1e9
        let done = tally.count
        let rate = Double(done) / seconds
        var parts = ["\(done) of \(count) runs", "\(Int(rate))/s"]
        if done > 0 { parts.append("\(Int((Double(count - done) / rate).rounded(.up))) s left") }
        parts += tally.kinds.map { "\($0.rawValue) \(tally[$0]?.count ?? 0)" }
        return parts.joined(separator: ", ")
    }
}
