import Arguments
import Authoring
import Console
import Glibc
import Reports
import Text
import Trace

/// The options that choose the reports on a check: on standard output and in files.
struct CheckReportOptions: OptionGroup {
    let baseline, newBaseline, proofs, newProofs, save, html, junit, sarif, result: Listed<String?>
    let gitHub: Listed<Bool>
    let format: Listed<OutputForm>
    let tap, quiet, verbose: Listed<Bool>
    let durations: Listed<Int?>
    let color: Listed<Terminal.ColorChoice>

    init(_ list: inout OptionList) {
        list.head("Failures and proofs that are known")
        baseline = list.file(
            "baseline", "Allow the failures listed in this file, one per line, such as 'a.lab: race', and no others")
        newBaseline = list.file(
            "write-baseline", "Write the failures, and how they fail, to this file, for --baseline")
        proofs = list.file(
            "proved", "Fail each scenario that this file lists, one name per line, and that is not proved")
        newProofs = list.file("write-proved", "Write the names of what is proved to this file, for --proved")
        list.head("Reports")
        save = list.file(
            "save", placeholder: "DIR", "Save the trace of each failure in this folder, for 'replay'")
        html = list.file(
            "html", placeholder: "DIR", "Write an index of the results into this folder, and a page for each failure")
        junit = list.file("junit", "Also write a JUnit XML report to this file")
        sarif = list.file("sarif", "Also write the failures to this file in SARIF 2.1.0, for code scanning")
        result = list.file("result", "Also write the result to this file, for --merge, --last-failed and --balance")
        gitHub = list.flag(
            "github", "Also print annotations for GitHub Actions, and append to the job's summary")
        format = list.outputForm()
        tap = list.flag("tap", "Print the report in the Test Anything Protocol")
        quiet = list.flag("quiet", "Print only failures and the totals")
        verbose = list.flag("verbose", "Do not shorten evidence on terminals")
        durations = list.integer("durations", in: 1...1_000_000, "Print the N scenarios that took longest")
        color = list.color()
        list.exclude([[baseline, newBaseline], [quiet, verbose, tap], [tap, format], [tap, gitHub]])
    }
}

/// All reports on a check: standard output, files, traces and pages. Also judges each result by the baseline and the
/// list of proofs. `check --merge` uses it, too, with the results of other machines.
struct CheckReports {
    /// A scenario under one memory model, and what its files are named after.
    struct Subject {
        let name: String
        /// The index of the scenario among all names of the check.
        let unit: Int
        /// The memory model with which the name ends: `tso` in `a.lab under tso`. Empty: none.
        let condition: String
        let file: CheckedFile?
    }

    private let session: Session
    private let subjects: [Subject]
    private let baseline: Baseline?
    private let provedList: ProvedList?
    /// For each subject, the failures that the baseline allows. Nil: the subject is not listed.
    private let allowances: [Baseline.Allowance?]
    /// The scenarios that failed in ways that are not listed.
    private var beyond: [(name: String, failures: [String])] = []
    /// The scenarios for which a complete search has not seen a listed failure.
    private var unseen: [(name: String, failures: [String])] = []
    /// The listed names that belong to no scenario, each with a message. They are reported as failures.
    private let strays: [(name: String, message: String)]
    /// A remark on names in the baseline that are not relative to the repository's root.
    private let remark: String?
    private let newBaseline, newProofs, junit, sarif: NewFile?
    private let traces: (folder: TraceFolder, names: TraceNames)?
    private var pages: CheckPages?
    private let summary: JobSummary?
    private var output: CheckOutput
    /// The first error that is no scenario's failure, such as a file that cannot be written. The other reports are
    /// still written.
    private var failure: (any Error)?

    /// - Parameters:
    ///   - units: the names of all scenarios of the check, whichever machine checks them.
    ///   - others: the scenarios that are checked elsewhere.
    ///   - owns: whether a listed name that belongs to no scenario is judged here.
    init(
        _ arguments: TypedArguments<CheckReportOptions>, units: [String], _ subjects: [Subject],
        others: [CheckUnit], _ coverage: CheckScope.Coverage, _ folder: NamingFolder, owns: @escaping (String) -> Bool,
        _ session: Session
    ) throws(Complaint) {
        self.session = session
        self.subjects = subjects
        let baseline = try arguments.baseline.map { path throws(Complaint) in try Baseline(path) }
        self.baseline = baseline
        allowances = subjects.map { baseline?.allowance(of: $0.name, $0.file) }
        remark = baseline.flatMap { list in list.outdated(subjects, in: folder).map { list.remark($0) } }
        let provedList = try arguments.proofs.map { path throws(Complaint) in try ProvedList(path) }
        self.provedList = provedList
        let judge = StrayJudge(
            subjects: subjects, others: others, coverage: coverage, folder: folder, owns: owns, session: session)
        strays = (baseline?.strays(judge) ?? []) + (provedList?.strays(judge) ?? [])
        func file(_ path: String?, _ content: String) throws(Complaint) -> NewFile? {
            try path.map { path throws(Complaint) in try NewFile(at: path, for: content, orElse: "name a file") }
        }
        newBaseline = try file(arguments.newBaseline, "the baseline")
        newProofs = try file(arguments.newProofs, "the list of proofs")
        func report(_ path: String?, _ spelling: String) throws(Complaint) -> NewFile? {
            guard path != InputFile.standardInput else {
                throw Complaint("\(spelling) -: standard output has the other report: name a file")
            }
            return try file(path, "the report")
        }
        junit = try report(arguments.junit, arguments.options.junit.spelling)
        sarif = try report(arguments.sarif, arguments.options.sarif.spelling)
        traces = try arguments.save.map { path throws(Complaint) in (try TraceFolder(path), TraceNames(units)) }
        pages = try arguments.html.map { path throws(Complaint) in
            try CheckPages(path, units: units, sources: folder.path)
        }
        summary = arguments.gitHub ? JobSummary() : nil
        let writesFiles =
            junit != nil || sarif != nil || summary != nil || traces != nil || pages != nil || newBaseline != nil
            || newProofs != nil || arguments.result != nil
        output = try CheckOutput(
            arguments, session, names: subjects.map(\.name) + strays.map(\.name), folder: folder,
            outlivesReader: writesFiles)
    }

    /// Whether there was an error that is no scenario's failure. Then nothing more is checked.
    var hasFailed: Bool { failure != nil }

    /// Keeps an error for the end. The first one is reported.
    mutating func note(failure error: any Error) { failure = failure ?? error }

    mutating func start() throws(Complaint) {
        try output.start()
        for (offset, stray) in strays.enumerated() {
            try output.note(subjects.count + offset, CheckedScenario(stray.name, .stale(stray.message)))
        }
    }

    mutating func progress(_ running: [Int]) { output.progress(running) }

    /// Judges the result of a scenario by the lists, saves its trace, and prints it.
    ///
    /// - Parameters:
    ///   - number: the scenario's index among the subjects.
    ///   - trace: the trace of the failure, as it is saved. Empty: there is none.
    /// - Returns: whether it is a failure.
    mutating func note(_ number: Int, _ scenario: CheckedScenario, _ trace: [UInt8]) throws(Complaint) -> Bool {
        var scenario = scenario
        do { scenario.trace = try save(trace, number) } catch { failure = failure ?? error }
        let allowance = allowances[number]
        switch scenario.verdict {
        case .mismatched, .evading, .undecided, .wrong:
            scenario.isKnown = newBaseline != nil || allowance?.allows(scenario.failures) ?? false
            if let allowance { compare(scenario, with: allowance) }
        case .asExpected:
            if let baseline, allowance != nil { scenario.verdict = .stale(baseline.complaintAboutPass) }
            if let provedList, provedList.lists(scenario.name), !scenario.isProved {
                scenario.verdict = .lostProof(provedList.complaint(about: scenario))
            }
        case .stale, .lostProof, .error, .notRun: break
        }
        try output.note(number, scenario)
        return scenario.isFailure
    }

    /// Collects the differences between a scenario's failures and those that are listed, for remarks at the end.
    private mutating func compare(_ scenario: CheckedScenario, with allowance: Baseline.Allowance) {
        let others = allowance.beyond(scenario.failures)
        if !others.isEmpty { beyond.append((scenario.name, others)) }
        // A failure that a search has not seen may still occur in another run, unless the search was complete.
        guard scenario.evidence.contains(where: { $0.runtime == .controlled && $0.isProof }) else { return }
        let gone = allowance.unseen(scenario.failures)
        if !gone.isEmpty { unseen.append((scenario.name, gone)) }
    }

    /// What standard error says of the baseline at the end.
    private var remarks: [String] {
        guard let baseline else { return [] }
        let listed = zip(subjects, allowances).compactMap { subject, allowance in
            allowance.map { (subject.name, $0) }
        }
        return (remark.map { [$0] } ?? []) + baseline.remarks(listed, beyond: beyond, unseen: unseen)
    }

    /// Saves the trace of a failure, and its page.
    ///
    /// - Returns: the path of the trace's file.
    private mutating func save(_ trace: [UInt8], _ number: Int) throws -> String? {
        guard !trace.isEmpty else { return nil }
        let subject = subjects[number]
        try pages?.save(trace, number, as: subject, session)
        return try traces.map { try $0.folder.save(trace, as: $0.names.name(subject.unit, subject.condition)) }
    }

    /// Prints the end, and writes the files.
    ///
    /// - Parameters:
    ///   - duration: the duration of the check, in nanoseconds. Nil: the time since this check began.
    ///   - writeMore: writes the file of `--result`. It receives the duration.
    /// - Returns: the exit code. It does not depend on `isInterrupted`.
    mutating func end(
        isInterrupted: Bool, duration: UInt64? = nil, _ writeMore: (UInt64) throws -> Void
    ) throws -> ExitCode {
        let duration = duration ?? output.duration
        try output.end(isInterrupted: isInterrupted || failure != nil, duration: duration)
        let results = output.results
        let hasFailed = failure != nil
        var trouble = failure
        // A file that cannot be written does not prevent the other files. The first error is reported at the end.
        func attempt(_ write: () throws -> Void) {
            do { try write() } catch { trouble = trouble ?? error }
        }
        attempt { try junit?.write { JUnitReport(results).write(to: &$0) } }
        attempt { try sarif?.write { SARIFReport(results, version: Session.version).write(to: &$0) } }
        attempt { try pages?.writeIndex(results) }
        attempt { try summary?.append(results, isInterrupted: isInterrupted || hasFailed) }
        if !isInterrupted, !hasFailed {
            let known = results.filter(\.isKnown)
            attempt { try newBaseline?.write { $0.write(Baseline.text(known, program: session.program)) } }
            let proved = results.filter(\.isProved).map(\.name)
            attempt { try newProofs?.write { $0.write(ProvedList.text(proved, program: session.program)) } }
        }
        attempt { try writeMore(duration) }
        for remark in remarks { StandardError.write("\(session.program): \(remark)\n") }
        failure = trouble
        if let trouble { throw trouble }
        try output.finish()
        return Self.code(CheckTally(results))
    }

    private static func code(_ tally: CheckTally) -> ExitCode {
        if tally.errors > 0 { return .failure }
        if tally.wrong > 0 { return .usage }
        return tally.failed + tally.undecided > 0 ? .finding : .expected
    }
}
