import Arguments
import Authoring
import CompiledExecution
import Console
import Diagnosis
import Machine
import Reports
import Supervision
import Text
import Trace

/// One check of the selected scenarios: runs them, judges the evidence, and passes each result to the reports.
struct CheckRun {
    private let session: Session
    private let subjects: [CheckSubject]
    private let plan: CheckPlan
    private let jobs: Int
    /// The memory model of `--model`. Nil: each program's own.
    private let model: MemoryModel?
    /// The number of failures after which nothing more is started.
    private let mostFailures: Int
    private var failures = 0
    private let cache: ProofCache?
    private var reports: CheckReports
    private var recording: ResultRecording?
    /// Why a proof could not be saved in the cache, which is only a warning at the end.
    private var cacheFailure: Complaint?

    init(
        _ selection: CheckSelection, _ plan: CheckPlan, _ arguments: TypedArguments<CheckOptions>, _ session: Session
    ) throws(Complaint) {
        self.session = session
        self.plan = plan
        jobs = arguments.jobs ?? Processors.count
        model = arguments.model
        mostFailures = arguments.failFast ? 1 : arguments.mostFailures ?? .max
        cache = try arguments.cache.map { path throws(Complaint) in try ProofCache(path, plan) }
        subjects = selection.subjects.map(\.subject)
        let reported = selection.subjects.map { number, subject in
            CheckReports.Subject(name: subject.name, unit: number, condition: subject.condition, file: subject.file)
        }
        reports = try CheckReports(
            arguments.reports, units: selection.units.map(\.name), reported, others: selection.others,
            selection.coverage, selection.scope.folder, owns: selection.owns, session)
        recording = try arguments.reports.result.map { path throws(Complaint) in
            try ResultRecording(path, selection, reported, arguments, session)
        }
    }

    mutating func run() throws -> ExitCode {
        var signal: Int32?
        do { signal = try check() } catch { reports.note(failure: error) }
        let (isInterrupted, recording) = (signal != nil || reports.hasFailed, recording)
        let code = try reports.end(isInterrupted: signal != nil) { duration in
            try recording?.write(duration: duration, isInterrupted: isInterrupted)
        }
        if let cacheFailure { StandardError.write("\(session.program): warning: \(cacheFailure.message)\n") }
        return signal.map { .interrupted(by: $0) } ?? code
    }

    /// Checks all subjects: first those that cannot be searched, then scenarios, then compiled programs, which have
    /// commands of their own.
    ///
    /// - Returns: the signal that interrupted the check, or nil.
    private mutating func check() throws -> Int32? {
        try reports.start()
        var scenarios: [(number: Int, scenario: any Runnable)] = []
        var compiled: [(number: Int, file: CheckedFile)] = []
        for (number, subject) in subjects.enumerated() {
            switch subject.content {
            case .scenario(let scenario): scenarios.append((number, scenario))
            case .compiled: if let file = subject.file { compiled.append((number, file)) }
            case .evading(let differences):
                if try !note(number, CheckedScenario(subject.name, .evading(differences))) { return nil }
            case .wrong(let message):
                var checked = CheckedScenario(subject.name, .wrong(message))
                checked.line = subject.file.flatMap { $0.line(of: message) }
                if try !note(number, checked) { return nil }
            }
        }
        var proofs: [Int: Evidence] = [:]
        for (index, (number, scenario)) in scenarios.enumerated() where plan.executions > 0 {
            let subject = subjects[number]
            proofs[index] = cache?.proof(of: scenario, named: subject.file?.name, subject.source)
        }
        let end = plan.totalTime.map { Deadline(after: $0) }
        var shared = plan
        // Compiled programs come last, so their share of the time is kept for them. The scenarios have at least one
        // share: with a limit of 0, the time would be over at once.
        if let total = plan.totalTime, !compiled.isEmpty {
            shared.totalTime = total / UInt64(subjects.count) * UInt64(max(1, scenarios.count))
        }
        let signal = try Check(scenarios.map(\.scenario), shared, jobs: jobs, proofs: proofs).run { index, result in
            let (number, scenario) = scenarios[index]
            if result.isRefused, let failure = result.failure { throw Complaint(failure.printable) }
            let result = result.naming(subjects[number].file)
            var checked = judged(number, scenario, result)
            checked.isRemembered = proofs[index] != nil
            if !checked.isRemembered, case .asExpected = checked.verdict { remember(result, number, scenario) }
            let trace = checked.trace(in: result)
            checked.account = account(of: trace, scenario)
            return try note(number, checked, trace) && !reports.hasFailed
        } progress: { running in
            reports.progress(running.map { scenarios[$0].number })
        }
        if signal != nil || failures >= mostFailures || reports.hasFailed { return signal }
        shared.totalTime = end?.left
        return try ProgramChecks(compiled, shared, jobs: jobs, model: model, cache: cache?.folder).run { done in
            let name = subjects[done.number].name
            return try note(done.number, done.scenario.renamed(name), done.trace) && !reports.hasFailed
        }
    }

    /// Passes a result to the reports and to the file of `--result`.
    ///
    /// - Parameter trace: the trace of the failure, as it is saved. Empty: there is none.
    /// - Returns: whether to continue.
    private mutating func note(_ number: Int, _ scenario: CheckedScenario, _ trace: [UInt8] = []) throws -> Bool {
        var scenario = scenario
        scenario.file = subjects[number].file?.name
        recording?.note(number, scenario, trace)
        if try reports.note(number, scenario, trace) { failures += 1 }
        return failures < mostFailures
    }

    /// The account of the failure that a trace shows. Empty: the trace is too long to be examined while others run, or
    /// cannot be read again.
    ///
    /// - Parameter trace: a trace as it is saved. Empty: there is none.
    private func account(of trace: [UInt8], _ scenario: any Runnable) -> [AccountRow] {
        guard !trace.isEmpty, trace.count <= Self.mostBytesOfTrace, let trace = try? TraceReader.read(trace) else {
            return []
        }
        return AccountRow.all(of: trace, judgesLockOrder: scenario.judgesLockOrder)
    }

    private static let mostBytesOfTrace = 16 << 20

    private var report: SubmissionReport { SubmissionReport(session: session, seed: plan.seed) }

    /// The scenario's result, with the verdict that follows from the evidence.
    private func judged(_ number: Int, _ scenario: any Runnable, _ result: TrialResult) -> CheckedScenario {
        if scenario.taskPath != nil { return report.checked(subjects[number].name, scenario, result) }
        var checked = CheckedScenario(
            subjects[number].name, verdict(on: scenario, result), expectation: scenario.expectation.description,
            states: scenario.soughtStates, evidence: result.evidence, duration: result.duration)
        checked.isCompiled = scenario is CompiledProgram
        checked.hasPlainMemory = scenario.runsOwnCode && !checked.isCompiled
        checked.allotted = result.allotted
        return checked
    }

    private func verdict(on scenario: any Runnable, _ result: TrialResult) -> CheckedScenario.Verdict {
        if let failure = result.failure { return .error(failure) }
        let mismatches = Judgement.mismatches(
            result.evidence, scenario.expectation, states: scenario.soughtStates, needsProof: plan.needsProof)
        return switch Judgement.Verdict(mismatches) {
        case .asExpected: .asExpected
        case .unexpected(let mismatches): .mismatched(report.flaws(of: scenario, mismatches))
        case .undecided(let mismatches): .undecided(report.flaws(of: scenario, mismatches))
        }
    }

    /// Saves the evidence of the search in the cache, if it is a proof.
    private mutating func remember(_ result: TrialResult, _ number: Int, _ scenario: any Runnable) {
        guard let cache, let evidence = result.evidence.first(where: { $0.runtime == .controlled }) else { return }
        do throws(Complaint) {
            let subject = subjects[number]
            try cache.remember(evidence, of: scenario, named: subject.file?.name, subject.source)
        } catch {
            cacheFailure = cacheFailure ?? error
        }
    }
}

extension CheckedScenario {
    /// The trace of the first flaw that has one. Empty: no flaw has one.
    fileprivate func trace(in result: TrialResult) -> [UInt8] {
        guard case .mismatched(let flaws) = verdict else { return [] }
        for case .notAllowed(let sighting, let evidence) in flaws.map(\.mismatch) {
            let trace = result.traces.first { $0.runtime == evidence.runtime && $0.kind == sighting.outcome.kind }
            if let trace { return trace.content }
        }
        return []
    }
}

extension CheckedScenario {
    /// The result under this name. The separate command that checked a compiled program used another one.
    fileprivate func renamed(_ name: String) -> CheckedScenario {
        var scenario = self
        if let before = file { scenario.evidence = evidence.map { $0.renaming(before, to: name) } }
        scenario.name = name
        return scenario
    }
}

extension TrialResult {
    /// The result, with the file's name in reports in place of its path.
    fileprivate func naming(_ file: CheckedFile?) -> TrialResult {
        guard let file, file.name != file.path else { return self }
        var result = self
        result.evidence = evidence.map { $0.renaming(file.path, to: file.name) }
        result.traces = traces.map { $0.renaming(file.path, to: file.name) }
        return result
    }
}

extension CheckedFile {
    /// The line number in a message about the file: 5 in `a.lab:5:8: error`. Nil: it has none.
    fileprivate func line(of message: String) -> Int? {
        let rest = message.hasPrefix(path + ":") ? message.dropFirst(path.count + 1) : ""
        return Int(rest.prefix(while: \.isNumber))
    }
}
