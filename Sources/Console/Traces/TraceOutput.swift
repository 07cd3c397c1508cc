import Arguments
import Authoring
import Diagnosis
import Machine
import Reports
import Supervision
import Text
import Trace

/// What commands such as `run` and `replay` do with the trace of a run: they print it in a format, save it in a file,
/// and write it as a page of HTML.
package struct TraceOutput {
    /// The options of commands that make a trace.
    package struct Options: OptionGroup {
        package let printed: ListedGroup<PrintedOptions>
        let file: Listed<String?>
        let viewed: ListedGroup<ViewedOptions>

        package init(_ list: inout OptionList) {
            printed = list.group()
            file = list.file("save", "Save the trace in this file")
            viewed = list.group()
        }
    }

    /// How a trace is printed.
    package struct PrintedOptions: OptionGroup {
        package let format: Listed<ReportFormat>
        package let color: Listed<Terminal.ColorChoice>
        package let diagnose: Listed<String?>

        package init(_ list: inout OptionList) {
            format = list.choice(
                "format",
                [
                    (ReportFormat.text, "one line per event"), (.lanes, "one column per thread"), (.json, "JSON Lines"),
                    (.none, "only how it ended"),
                ], default: .text, placeholder: "FORMAT", "Format of the trace")
            color = list.color()
            diagnose = list.diagnose()
        }
    }

    /// How a trace is shown in other viewers, and how much of it.
    package struct ViewedOptions: OptionGroup {
        let html: Listed<String?>
        let rows: ListedGroup<RowOptions>

        package init(_ list: inout OptionList) {
            html = list.page()
            rows = list.group()
        }
    }

    package var format: ReportFormat
    /// Whether the user chose the format.
    package let isFormatChosen: Bool
    private let destination: TraceDestination?
    private let page: PageDestination?
    private let options: ReportOptions
    private let selection: FindingSelection
    private let sources: SourceScope
    package let program: String
    private let pager: Pager
    /// The path of the saved trace that is shown, if only the trace repeats its run. Nil: the program's name is enough.
    package var savedTrace: String?

    package init(_ arguments: TypedArguments<Options>, _ session: Session) throws(Complaint) {
        try self.init(arguments.printed, arguments.viewed, file: arguments.file, .ownRun, session)
    }

    /// - Parameters:
    ///   - path: the file in which the trace is saved. Nil: it is not saved.
    ///   - sources: the files whose text may be shown.
    package init(
        _ printed: TypedArguments<PrintedOptions>, _ viewed: TypedArguments<ViewedOptions>, file path: String? = nil,
        _ sources: SourceScope, _ session: Session
    ) throws(Complaint) {
        self.sources = sources
        format = printed.format
        isFormatChosen = printed.isGiven(\.format)
        selection = try DiagnoseOption.selection(printed.diagnose, session)
        if let path { destination = try TraceDestination(path) } else { destination = nil }
        page = try PageDestination(viewed.html)
        var options = session.reportOptions(printed.color)
        viewed.rows.apply(to: &options)
        self.options = options
        program = session.program
        pager = session.pager
    }

    /// An output that prints nothing, and writes a page.
    package init(
        page path: String, _ rows: TypedArguments<RowOptions>, _ sources: SourceScope, _ session: Session
    ) throws(Complaint) {
        self.sources = sources
        format = .none
        isFormatChosen = false
        selection = .important
        destination = nil
        page = try PageDestination(path)
        var options = session.reportOptions(.never)
        rows.apply(to: &options)
        self.options = options
        program = session.program
        pager = session.pager
    }

    /// Runs the plan, and saves and prints its trace.
    ///
    /// - Parameter follower: shows the run while it runs. Nil: a status line appears after a second.
    package func run(_ plan: RunPlan, _ follower: RunFollower? = nil) throws -> ExitCode {
        var line = StatusLine(every: 0)
        defer { line.clear() }
        let status = RunWatch(every: 1_000_000_000) { if line.isDue { line.show($0.text) } }
        let run = try supervise(plan, shows: format != .none, watch: follower?.watch ?? status)
        line.clear()
        try show(run, of: plan.scenario, wasChosen: plan.isGivenSchedule)
        return Self.code(run.trace, plan.scenario)
    }

    /// Runs the plan, and again with a higher step limit if the default limit cut the run off (`withMoreSteps`). While
    /// it runs, the recording is a file next to the trace file: if threadlab itself is killed, `threadlab trace` reads
    /// it.
    ///
    /// - Parameters:
    ///   - saves: whether to save the trace as soon as the run is over.
    ///   - shows: whether the trace is printed. If it is neither printed nor written to a file, few events are kept.
    ///   - watch: observes a run on real threads.
    package func supervise(
        _ plan: RunPlan, saves: Bool = true, shows: Bool = true, watch: RunWatch? = nil
    ) throws -> SupervisedRun {
        var plan = plan
        plan.keptEvents = keptEvents(of: plan, shows: shows)
        plan.isExamined = examines(plan.scenario)
        plan.recordingPath = destination?.recordingPath
        var longer: RunPlan?
        let save = { (trace: TraceDocument) in
            longer = plan.withMoreSteps(than: trace)
            if longer != nil { return }
            if let misfit = trace.events.last, misfit.kind == .runDiverged {
                throw complaint(about: trace.text(of: misfit) ?? "", trace, plan)
            }
            if saves { try destination?.save(trace) }
        }
        while true {
            let run = try Supervisor.run(plan, save: save, watch: watch)
            guard let next = longer else { return run }
            plan = next
        }
    }

    /// How many events are kept. A run on real threads makes millions of events in a second, so as many as possible are
    /// kept only if they are saved.
    private func keptEvents(of plan: RunPlan, shows: Bool) -> RunPlan.KeptEvents {
        if destination != nil { return .saved }
        guard shows || page != nil else { return .few }
        if case .native = plan.mode { return .shown }
        return .saved
    }

    /// The complaint about a run that could not follow its schedule or trace.
    ///
    /// - Parameter misfit: the reason.
    private func complaint(about misfit: String, _ trace: TraceDocument, _ plan: RunPlan) -> Complaint {
        guard case .follow = plan.mode else { return Complaint("the schedule does not fit: \(misfit.printable)") }
        let command = replayCommand(trace, plan.scenario).map { "; '\($0)' does the same up to that point" } ?? ""
        return Complaint("cannot follow the run: \(misfit.printable)\(command)", .finding)
    }

    /// Saves the trace, if the user gave a file for it.
    package func save(_ trace: TraceDocument) throws(Complaint) { try destination?.save(trace) }

    /// Prints the trace, and writes its page. If one of the two fails, the other is done nevertheless.
    ///
    /// - Parameter wasChosen: whether the user determined the course of the run, by its schedule or its trace.
    package func show(_ run: SupervisedRun, of scenario: (any Runnable)?, wasChosen: Bool = true) throws(Complaint) {
        let trace = run.trace
        let options = reportOptions(run, of: scenario, wasChosen: wasChosen)
        let written = Result { () throws(Complaint) in try page?.save(trace, of: scenario, options) }
        try StandardOutput.page(pager) { format.write(trace, options, to: &$0) }
        try written.get()
    }

    /// Writes the page of a run, if one is wanted, and prints nothing.
    package func savePage(_ trace: TraceDocument, of scenario: (any Runnable)?) throws(Complaint) {
        guard let page else { return }
        let run = SupervisedRun(trace: trace, findings: Examination.findings(in: trace))
        try page.save(trace, of: scenario, reportOptions(run, of: scenario, wasChosen: true))
    }

    private func reportOptions(
        _ run: SupervisedRun, of scenario: (any Runnable)?, wasChosen: Bool
    ) -> ReportOptions {
        let trace = run.trace
        var options = options
        options.findings = reported(run, of: scenario)
        options.source = SourceLines(scenario, sources).text
        if let scenario {
            let command = replayCommand(trace, scenario)
            options.setReplay(command, orElse: "'--save FILE' saves the run, and 'replay FILE' repeats it")
            options.stepwise = stepwiseCommand(trace, scenario)
            if !wasChosen && trace.outcome?.kind == .completed && scenario.promisesFindableFailure {
                options.search = "\(program) \(scenario.searchArguments(trace.header.rules))"
            }
            options.expectation = trace.outcome.flatMap {
                scenario.comment(on: $0.kind, on: trace.header.runtime, showing: run.findings)
            }
            if let remark = trace.outcome.flatMap({ scenario.remark(onUnseen: $0.kind) }) {
                options.remarks.append(remark)
            }
            if Self.code(trace, scenario) == .finding, let remark = trace.remarkOnLimit(of: scenario) {
                options.remarks.append(remark)
            }
        }
        return options
    }

    /// The findings to report: those that `--diagnose` selects and, if it was not given, those that the scenario
    /// promises.
    package func reported(_ run: SupervisedRun, of scenario: (any Runnable)?) -> [Finding] {
        let promised = selection == .important ? scenario?.expectation.warnings ?? [] : []
        return run.findings.filter { finding in
            selection.includes(finding) || finding.code.warning.map(promised.contains) ?? false
        }
    }

    /// Whether findings other than the outcome are to be reported, or are promised by the scenario.
    package func examines(_ scenario: any Runnable) -> Bool {
        selection != .none || !scenario.expectation.warnings.isEmpty
    }

    /// Writes the findings of many runs.
    ///
    /// - Parameter runs: the runs that were examined, as in "Seen in 3 of 20 runs".
    package func write(_ findings: FindingTally, of runs: String, _ scenario: any Runnable, to sink: inout ByteSink) {
        findings.write(options, program: program, to: &sink) {
            "Seen in \($0.count) of \(runs), first in run \($0.first)."
        } replay: {
            replayCommand($0, scenario)
        }
    }

    /// The command that repeats the traced run. Nil: the run has no schedule, or an empty one.
    package func replayCommand(_ trace: TraceDocument, _ scenario: any Runnable) -> String? {
        guard let schedule = trace.header.schedule, !schedule.isEmpty else { return nil }
        if let savedTrace { return "\(program) replay \(savedTrace.quotedForShell)" }
        return "\(program) \(scenario.replayArguments(trace.header))"
    }

    /// For a run on real threads, which cannot be replayed: the command that shows its finding under the scheduler. A
    /// run that was stopped has no finding to search for, so the command only runs the scenario under the scheduler.
    /// Nil: the run completed, or was itself controlled, or the scenario needs real threads.
    private func stepwiseCommand(_ trace: TraceDocument, _ scenario: any Runnable) -> String? {
        guard trace.header.runtime == .native, scenario.realThreadsOnly == nil else { return nil }
        guard let kind = trace.outcome?.kind else { return nil }
        switch kind {
        case .completed: return nil
        case .timeout, .interrupted: return "\(program) \(scenario.stepwiseArguments)"
        default: return "\(program) \(scenario.searchArguments())"
        }
    }

    /// The exit code of a command that made this run. A run without an outcome was interrupted.
    package static func code(_ trace: TraceDocument, _ scenario: any Runnable) -> ExitCode {
        guard let kind = trace.outcome?.kind, kind != .interrupted else { return .interrupted(by: trace.interruption) }
        return scenario.expectation.allows(kind, on: trace.header.runtime) ? .expected : .finding
    }
}

extension Runnable {
    /// A sentence on whether the program expects the outcome, and perhaps another on warnings that it promises and that
    /// the run did not show. Nil: the run was interrupted.
    ///
    /// - Parameter findings: those of the run. Nil: it was not examined for warnings.
    package func comment(
        on outcome: OutcomeKind, on runtime: TraceHeader.Runtime, showing findings: [Finding]? = nil
    ) -> String? {
        if outcome == .interrupted { return nil }
        let allowed = expectation.allows(outcome, on: runtime)
        let isLivelock = allowed && !expectation.allowed.contains(outcome)
        let remark = isLivelock ? ", which appears as a time-out on real threads" : ""
        guard allowed else {
            // A claim that does not hold is never expected.
            guard !statesExpectation, outcome != .claim else {
                return "Not as expected: it \(expectation.obligation)."
            }
            let expect = "'expect \(outcome.rawValue)'"
            guard isOfFile else {
                return "Not as expected: it \(expectation.obligation) (a '.lab' file that runs it can say \(expect))."
            }
            return "Not as expected: the file says nothing, so it \(expectation.obligation) "
                + "(write \(expect) if it may not)."
        }
        let addition = findings.flatMap { unseenWarnings(in: $0) }.map { " \($0)" } ?? ""
        return "As expected: '\(label.printable)' \(expectation.description)\(remark).\(addition)"
    }

    /// The caveat to a data race of a compiled program: a part of the program that threadlab cannot see may order the
    /// accesses. Nil: the outcome is not a race, or there is no such part.
    package func remark(onUnseen outcome: OutcomeKind) -> String? {
        guard outcome == .race, let unseenPart else { return nil }
        return
            "It is none if \(unseenPart.printable) orders them by its own means: that was not built for threadlab, so they are not seen."
    }

    /// A sentence on the promised warnings that the run did not show, but other runs do. Nil: the run showed all.
    private func unseenWarnings(in findings: [Finding]) -> String? {
        let shown = findings.compactMap(\.code.warning)
        let unseen = expectation.warnings.filter { !shown.contains($0) }
        return unseen.isEmpty ? nil : "This run did not show \(Expectation.words(unseen))."
    }
}

extension TraceDocument {
    /// A sentence with the option that raises the limit, if the run ended because of a limit.
    fileprivate func remarkOnLimit(of scenario: any Runnable) -> String? {
        guard outcome?.kind == .timeout,
            let last = events.last(where: { $0.kind == .runTimeout || $0.kind == .runStepLimit }), last.value > 0
        else { return nil }
        if last.kind == .runTimeout {
            let more = max(UInt64(last.value).multiplied(saturating: 10), scenario.defaultTimeout)
            return "If it only needs more time: --timeout \(DurationText.write(min(more, RunPlan.longestTimeout)))."
        }
        let more = max(Int(last.value).multiplied(saturating: 10), scenario.defaultMaximumSteps)
        return "If it only needs more steps: --max-steps \(min(more, Rules.mostSteps))."
    }
}

extension RunPlan {
    /// Whether the user determined the course of the run.
    fileprivate var isGivenSchedule: Bool {
        switch mode {
        case .native, .controlled: false
        case .replay, .follow, .step: true
        }
    }
}

extension ReportOptions {
    /// The maximum length of a command that is shown, in bytes. A longer one is hard to paste, and the system accepts
    /// no argument over 128 KiB.
    private static var longestCommand: Int { 200 }

    /// Shows the command that replays the run, if it is short enough to be pasted.
    ///
    /// - Parameter advice: what the user can do if the command is too long.
    package mutating func setReplay(_ command: String?, orElse advice: String) {
        guard let command, command.utf8.count > Self.longestCommand else {
            replay = command
            return
        }
        remarks.append("The schedule is too long for a command line: \(advice).")
    }
}
