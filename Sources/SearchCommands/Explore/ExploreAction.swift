import Arguments
import Authoring
import Console
import Exploration
import Glibc
import Machine
import Reports
import Supervision
import Trace

/// `threadlab explore NAME`: searches the executions of a program for one that fails, or proves that none does.
package enum ExploreAction: Action {
    package struct Options: OptionGroup {
        let name: Listed<String>
        let against: Listed<String?>
        let search: ListedGroup<SearchOptions>
        let rules: ListedGroup<RuleOptions>
        let keepGoing, outcomes, suggest: Listed<Bool>
        let divide: Listed<Int?>
        let tasks, folder, html: Listed<String?>
        let format: Listed<OutputForm>
        let color: Listed<Terminal.ColorChoice>
        let rows: ListedGroup<RowOptions>

        package init(_ list: inout OptionList) {
            name = list.one(
                "NAME", .scenario,
                "A scenario or program from 'show', a .lab file, a compiled program's path, or - for standard input")
            keepGoing = list.flag(
                "keep-going", "Continue after a finding, and collect all distinct ones")
            outcomes = list.flag(
                "outcomes", "Count the final states of executions instead of stopping at a finding")
            suggest = list.flag(
                "suggest",
                "Look for a small change of a .lab program with which no execution fails; if none fails under --model, for weaker memory orders"
            )
            against = list.against()
            folder = list.file(
                "save", placeholder: "DIR", "Save the trace of each finding in this folder")
            html = list.page()
            format = list.outputForm()
            color = list.color()
            search = list.group()
            rules = list.group()
            rows = list.group()
            list.head("One search on many machines")
            divide = list.integer(
                "divide", in: 1...DividedSearch.mostTasks,
                "Divide the search into N tasks for 'work' on any machines, instead of searching")
            tasks = list.file("to", placeholder: "DIR", "The new folder for the tasks of --divide")
            for option: any OptionName in [suggest, folder, html, format] { list.exclude([[divide], [option]]) }
        }
    }

    package static let command = TypedCommand<Options>(
        "explore", "Search all interleavings for a failure, or prove there is none",
        discussion: """
            Runs the scenario under the scheduler repeatedly, with different choices each time. The result is a \
            finding, with the shortest schedule that leads to it; a proof, if every order of dependent steps was \
            tried, or every state visited, and none fails; or neither.

            By default three kinds of search take turns. Partial-order reduction and, for a program in a .lab file, the \
            search by states can prove that no execution fails. Random strategies find failures far from the first schedule. \
            An option that belongs to one strategy chooses it; only one strategy can be chosen at a time. The same scenario, \
            parameters, strategy and seed give the same result with any number of processes, unless the time limit is \
            reached first.

            A compiled program ('help cc') is named by its path, and its own arguments follow two hyphens: \
            'explore ./app -- ARGUMENTS'.

            After the search, up to 100 random executions are examined for what a search cannot see: warnings in \
            completed executions, such as locks taken in different orders. A warning that the scenario promises must \
            occur in one of them.

            The exit code is 0 if the result is what the scenario expects, 1 if the search found something unexpected \
            or missed something expected, 2 if the command line is wrong, 3 if threadlab itself failed, or, if \
            interrupted, 128 plus the signal: 130 for Ctrl-C, 143 for SIGTERM.
            """,
        takesScenarioOptions: true,
        onlyReads: true,
        usual: [
            "keep-going", "outcomes", "suggest", "save", "html", "format", "runs", "time", "jobs", "strategy",
            "spurious",
            "model", "max-steps", "code",
        ],
        formerOptions: FormerExports.options(
            and: ["executions": .option("--runs"), "graph": .line("export NAME states.dot --as states")]),
        examples: [
            Example("explore deadlock", "a schedule that deadlocks"),
            Example("explore deadlock --variant ordered", "a proof that no schedule does"),
            Example("explore safe-stack --strategy states", "a failure that only a search by states finds"),
            Example("explore producer-consumer --strategy pct --depth 2 --runs 5000", "bugs of depth 2"),
        ],
        scenarioExamples: [
            Example("explore NAME", "a search of its interleavings"),
            Example("explore NAME --variant VARIANT", "the same of another variant"),
        ])

    package static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        try session.files.judge(against: arguments.against)
        let division = try SearchDivision(arguments, session)
        let end = session.deadline(arguments.search.time)
        session.compiled.limitLearning(until: end)
        let original = try session.configured(arguments.name, arguments)
        try original.requireScheduler(for: "explore")
        EndingWatch.begin(session.program)
        var scenario = original
        let rules = try arguments.rules.rules(for: &scenario, searchedBy: arguments.search.chosenStrategy())
        var plan = try arguments.search.plan(scenario, rules: rules)
        plan.goal.keepsGoing = arguments.keepGoing || arguments.outcomes
        plan.goal.countsTerminals = arguments.outcomes
        let given = arguments.rules.saved
        // A rule that the user has not given is left open: the search tries its other values afterwards. A table of
        // outcomes counts the executions under one set of rules.
        let isOpen = division == nil && !arguments.outcomes
        plan.leaveOpen(
            spurious: isOpen && given.spurious == nil, model: isOpen && given.model == nil,
            steps: division == nil && !arguments.rules.isGiven(\.maximumSteps))
        // The tasks of a divided search share one set of rules: it allows at once the spurious wake-up that a search on
        // one machine tries afterwards.
        if division != nil, given.spurious == nil, scenario.traits?.maySpuriously ?? true {
            plan.rules.spuriousWakeups = 1
        }
        if arguments.suggest && !session.files.names(arguments.name) {
            throw Complaint(
                "--suggest changes programs in .lab files; \(scenario.name.printable) runs \(scenario.ownCode)")
        }
        let folder = try arguments.folder.map { path throws(Complaint) in try TraceFolder(path) }
        let page = try PageDestination(arguments.html)
        let isJSON = arguments.format == .json
        // The table of outcomes has a schedule for each state, which explanations would hide.
        let tellsFindings = !plan.goal.countsTerminals || isJSON || folder != nil || page != nil
        if let division { plan = try division.divisible(plan) }
        plan.end = end
        // Some of the time is kept for what follows the search: half of it if that includes further searches, of
        // changed programs (--suggest) or under other memory models (--outcomes).
        let hasOthers = arguments.suggest || arguments.outcomes && OutcomeModels.differ(for: original, plan)
        if division == nil { plan.time = hasOthers ? end.left / 2 : end.leftForSearch }
        let found: (result: SearchResult, findings: [ExplainedFinding])
        if let division {
            guard let result = try division.run(plan) else { return .expected }
            found = try SearchSupervisor.explain(result, plan, telling: tellsFindings ? .all : .none)
        } else {
            found = try withProgress(plan, of: session.program) {
                try SearchSupervisor.run(plan, telling: tellsFindings ? .all : .none, watch: $0)
            }
        }
        let aftermath = SearchAftermath(plan: plan, original: original, program: session.program) {
            session.files.canSet($0)
        } configured: {
            try? session.configured(arguments.name, $0)
        }
        var report = try aftermath.report(found.result, found.findings)
        let (assessment, findings) = (report.assessment, report.findings)
        if arguments.suggest { report.fix = try suggestion(plan, report, arguments.name, session) }
        let written = Result { () throws(Complaint) in if let page { try report.save(page) } }
        if isJSON {
            try StandardOutput.write { report.writeJSON(to: &$0) }
        } else {
            var options = session.terminal.reportOptions(arguments.color)
            arguments.rows.apply(to: &options)
            try StandardOutput.page(session.pager) { report.write(options, to: &$0) }
        }
        try written.get()
        try folder?.save(findings, of: scenario)
        try division?.writeWhole(plan, after: found.result)
        return EndingWatch.signal.map { .interrupted(by: $0) } ?? assessment.code(findings)
    }

    /// For `--suggest`: looks for a change that fixes the first finding, or for weaker memory orders if there is none.
    /// Nil: neither makes sense.
    private static func suggestion(
        _ plan: SearchPlan, _ report: SearchReport, _ name: String, _ session: Session
    ) throws -> FixReport? {
        let finding = report.shownFindings.first
        // Under sc, memory orders matter only for races, so an order that is not needed there may be needed under
        // another model.
        guard finding != nil || plan.rules.model != .sc && report.assessment.conclusion == .proved else { return nil }
        let progress = FixProgress()
        defer { progress.clear() }
        let source = try session.files.file(name).program.source
        let read = { session.files.version($0, like: plan.scenario) }
        let end = plan.end ?? Deadline(after: plan.time)
        var orders = OrderSearch(plan, source, until: end.at(most: end.left / 2), progress, read: read)
        guard let finding else { return FixReport(try orders.weaken(), nil, source, plan) }
        let kind = finding.finding.kind
        let strengthened = try orders.strengthen()
        if strengthened.proved != nil || strengthened.signal != nil {
            return FixReport(strengthened, kind, source, plan)
        }
        var search = FixSearch(plan, source, finding, read: read)
        return FixReport(try search.run(progress, until: end.at(most: end.leftForSearch)), kind, source, plan)
    }

    /// Shows the progress of a search of this plan.
    ///
    /// - Parameter program: the tool's name, if the progress must be printed when a signal ends the command before it
    ///   can report. Nil: nothing is printed then.
    static func withProgress<Result>(
        _ plan: SearchPlan, of program: String? = nil, _ search: (@escaping (SearchProgress) -> Void) throws -> Result
    ) throws -> Result {
        let line = Box(ProgressLine(plan))
        defer { line.content.clear() }
        return try search { progress in
            line.content.show(progress)
            guard let program else { return }
            let found = progress.findings == 0 ? "no finding" : SearchAssessment.count(progress.findings, "finding")
            let count = SearchAssessment.count(progress.counts.executions, "execution")
            EndingWatch.say("\(program): interrupted: \(found) in \(count), and no time to show more\n")
        }
    }

    /// A variable that an escaping closure can change.
    private final class Box {
        var content: ProgressLine

        init(_ content: ProgressLine) { self.content = content }
    }
}

/// The status line of a search: the time left, what was found, and how much was searched.
struct ProgressLine {
    private let plan: SearchPlan
    private var line = StatusLine()

    init(_ plan: SearchPlan) { self.plan = plan }

    mutating func show(_ progress: SearchProgress) { if line.isDue { line.show(text(progress)) } }

    mutating func clear() { line.clear() }

    private func text(_ progress: SearchProgress) -> String {
        let seconds = Double(progress.elapsed) / 1e9
        let counts = progress.counts
        // A narrow terminal cuts off the end, so the least important parts come last.
        let left = Double(plan.time) / 1e9 - seconds
        var parts = ["\(Int(max(0, left).rounded(.up))) s left"]
        if progress.findings > 0 { parts.append("\(progress.findings) found") }
        if counts.executions > 0 || counts.states == 0 {
            let rate = Int(Double(counts.executions) / seconds)
            parts.append("\(counts.executions.grouped) executions (\(rate.grouped)/s, depth \(counts.longest))")
        }
        if counts.states > 0 {
            parts.append("\(counts.states.grouped) states (\(Int(Double(counts.states) / seconds).grouped)/s)")
            parts.append("\(counts.open.grouped) to expand")
            if counts.depth > 0 { parts.append("\(counts.depth) moves deep") }
        }
        if let sample = progress.sample {
            parts.append("\(sample.count.grouped) orders, \(Int((sample.chanceOfNew * 100).rounded()))% new")
        }
        return parts.joined(separator: ", ")
    }
}
