import Arguments
import Authoring
import Diagnosis
import Reports
import Supervision
import Text
import Trace

/// One check: its subjects, what it compares them with, and where its results go.
struct CheckRun {
    private let session: Session
    private let subjects: [CheckSubject]
    private let plan: CheckPlan
    private let jobs: Int
    private let failsFast: Bool
    private let baseline: Baseline?
    /// Of each subject, whether the baseline lists it.
    private let isListed: [Bool]
    /// What is to be said of the baseline at the end.
    private let baselineRemark: String?
    private let newBaseline: NewFile?
    private let cache: ProofCache?
    private let traces: (folder: TraceFolder, names: [String])?
    private var pages: CheckPages?
    private let junit: NewFile?
    private let summary: JobSummary?
    private var output: CheckOutput
    /// Why a proof could not be remembered. The check itself does not need that.
    private var cacheFailure: Complaint?
    /// What else failed. The reports are written all the same.
    private var failure: (any Error)?

    init(
        _ named: [CheckSubject], _ scope: CheckScope, _ plan: CheckPlan, _ arguments: TypedArguments<CheckOptions>,
        _ session: Session
    ) throws(Complaint) {
        self.session = session
        self.plan = plan
        jobs = arguments.jobs ?? Processors.count
        failsFast = arguments.failFast
        let baseline = try arguments.baseline.map { path throws(Complaint) in try Baseline(path) }
        self.baseline = baseline
        let strays = baseline?.strays(
            from: named, in: scope, builtIn: arguments.builtIn, filters: arguments.filter, session)
        let subjects = named + (strays ?? [])
        self.subjects = subjects
        isListed = subjects.map { baseline?.lists($0) ?? false }
        baselineRemark = baseline.flatMap { list in list.outdated(named, in: scope.folder).map { list.remark($0) } }
        newBaseline = try arguments.newBaseline.map { path throws(Complaint) in
            try NewFile(at: path, for: "the baseline", orElse: "name a file")
        }
        cache = try arguments.cache.map { path throws(Complaint) in try ProofCache(path, plan) }
        traces = try arguments.save.map { path throws(Complaint) in
            (try TraceFolder(path), TraceNames(subjects.map(\.name)).names)
        }
        pages = try arguments.html.map { path throws(Complaint) in
            try CheckPages(path, scenarios: subjects.map(\.name))
        }
        junit = try arguments.junit.map { path throws(Complaint) in
            guard path != "-" else {
                throw Complaint(
                    "\(arguments.options.junit.spelling) -: standard output has the other report: name a file")
            }
            return try NewFile(at: path, for: "the report", orElse: "name a file")
        }
        summary = arguments.gitHub ? JobSummary() : nil
        let hasOtherOutput =
            junit != nil || summary != nil || traces != nil || pages != nil || newBaseline != nil
        output = try CheckOutput(
            arguments, session, names: subjects.map(\.name), folder: scope.folder, outlivesReader: hasOtherOutput)
    }

    mutating func run() throws -> ExitCode {
        var signal: Int32?
        do { signal = try check() } catch { failure = failure ?? error }
        let isInterrupted = signal != nil || failure != nil
        try output.end(isInterrupted: isInterrupted)
        let results = output.results
        try junit?.write { [output] in JUnitReport(results, duration: output.duration).write(to: &$0) }
        try pages?.writeIndex(results)
        try summary?.append(results, isInterrupted: isInterrupted)
        if !isInterrupted { try writeBaseline(results) }
        if let baselineRemark { StandardError.write("\(session.program): \(baselineRemark)\n") }
        if let cacheFailure { StandardError.write("\(session.program): warning: \(cacheFailure.message)\n") }
        if let failure { throw failure }
        try output.finish()
        if let signal { return .interrupted(by: signal) }
        return code(CheckTally(results))
    }

    /// - Returns: the signal that interrupted it, or nil.
    private mutating func check() throws -> Int32? {
        try output.start()
        var scenarios: [(number: Int, scenario: any Runnable)] = []
        for (number, subject) in subjects.enumerated() {
            switch subject.content {
            case .scenario(let scenario): scenarios.append((number, scenario))
            case .evading(let differences):
                if try !note(number, CheckedScenario(subject.name, .evading(differences))) { return nil }
            case .wrong(let message):
                var checked = CheckedScenario(subject.name, .wrong(message))
                checked.line = subject.file.flatMap { $0.line(of: message) }
                if try !note(number, checked) { return nil }
            case .stale(let message):
                if try !note(number, CheckedScenario(subject.name, .stale(message))) { return nil }
            }
        }
        var proofs: [Int: Evidence] = [:]
        for (index, (number, scenario)) in scenarios.enumerated() where plan.executions > 0 {
            let subject = subjects[number]
            proofs[index] = cache?.proof(of: scenario, named: subject.file?.name, subject.source)
        }
        return try Check(scenarios.map(\.scenario), plan, jobs: jobs, proofs: proofs).run { index, result in
            let (number, scenario) = scenarios[index]
            let result = result.naming(subjects[number].file)
            var checked = judged(number, scenario, result)
            checked.isRemembered = proofs[index] != nil
            if !checked.isRemembered, case .asExpected = checked.verdict { remember(result, number, scenario) }
            do { checked.trace = try save(result, of: checked, number) } catch { failure = failure ?? error }
            return try note(number, checked) && failure == nil
        } progress: { running in
            output.progress(running.map { scenarios[$0].number })
        }
    }

    /// - Returns: whether to continue.
    private mutating func note(_ number: Int, _ scenario: CheckedScenario) throws(Complaint) -> Bool {
        var scenario = scenario
        scenario.file = subjects[number].file?.name
        let isListed = newBaseline != nil || isListed[number]
        switch scenario.verdict {
        case .mismatched, .evading, .notDecided, .wrong: scenario.isKnown = isListed
        case .asExpected: if let baseline, isListed { scenario.verdict = .stale(baseline.complaintAboutPass) }
        case .stale, .error, .notRun: break
        }
        try output.note(number, scenario)
        return !(failsFast && scenario.isFailure)
    }

    private var report: SubmissionReport { SubmissionReport(session: session, seed: plan.seed) }

    private func judged(_ number: Int, _ scenario: any Runnable, _ result: TrialResult) -> CheckedScenario {
        if scenario.taskPath != nil { return report.checked(subjects[number].name, scenario, result) }
        var checked = CheckedScenario(
            subjects[number].name, verdict(on: scenario, result), expectation: scenario.expectation.description,
            states: scenario.soughtStates, evidence: result.evidence, duration: result.duration)
        checked.hasPlainMemory = scenario.runsOwnCode
        return checked
    }

    private func verdict(on scenario: any Runnable, _ result: TrialResult) -> CheckedScenario.Verdict {
        if let failure = result.failure { return .error(failure) }
        let mismatches = Judgement.mismatches(
            result.evidence, scenario.expectation, states: scenario.soughtStates, needsProof: plan.needsProof)
        return mismatches.isEmpty ? .asExpected : .mismatched(report.flaws(of: scenario, mismatches))
    }

    // MARK: - Files

    private mutating func remember(_ result: TrialResult, _ number: Int, _ scenario: any Runnable) {
        guard let cache, let evidence = result.evidence.first(where: { $0.runtime == .controlled }) else { return }
        do throws(Complaint) {
            let subject = subjects[number]
            try cache.remember(evidence, of: scenario, named: subject.file?.name, subject.source)
        } catch {
            cacheFailure = cacheFailure ?? error
        }
    }

    /// Saves the trace of the first flaw that has one, and its page.
    ///
    /// - Returns: the path of the trace's file.
    private mutating func save(
        _ result: TrialResult, of checked: CheckedScenario, _ number: Int
    ) throws -> String? {
        guard case .mismatched(let flaws) = checked.verdict else { return nil }
        for case .notAllowed(let sighting, let evidence) in flaws.map(\.mismatch) {
            let trace = result.traces.first { $0.runtime == evidence.runtime && $0.kind == sighting.outcome.kind }
            guard let trace else { continue }
            try pages?.save(trace.content, number, session)
            guard let traces else { return nil }
            return try traces.folder.save(trace.content, as: traces.names[number])
        }
        return nil
    }

    private func writeBaseline(_ results: [CheckedScenario]) throws(Complaint) {
        let names = results.filter(\.isKnown).map(\.name)
        try newBaseline?.write { $0.write(Baseline.text(names, program: session.program)) }
    }

    private func code(_ tally: CheckTally) -> ExitCode {
        if tally.errors > 0 { return .failure }
        if tally.wrong > 0 { return .usage }
        return tally.failed > 0 ? .finding : .expected
    }
}

extension TrialResult {
    /// The result with the file called by its name in reports.
    fileprivate func naming(_ file: CheckedFile?) -> TrialResult {
        guard let file, file.name != file.path else { return self }
        var result = self
        result.evidence = evidence.map { $0.renaming(file.path, to: file.name) }
        result.traces = traces.map { $0.renaming(file.path, to: file.name) }
        return result
    }
}

extension CheckedFile {
    /// The line that a message about the file begins with: `a.lab:5:8: error`.
    fileprivate func line(of message: String) -> Int? {
        let rest = message.hasPrefix(path + ":") ? message.dropFirst(path.count + 1) : ""
        return Int(rest.prefix(while: \.isNumber))
    }
}
