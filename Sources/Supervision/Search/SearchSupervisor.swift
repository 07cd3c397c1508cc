import Diagnosis
import Exploration
import Glibc
import Machine
import Trace

/// Searches a scenario's executions in separate processes, which may crash, hang or be killed.
///
/// The processes run the units of an `Agenda`: a unit is a number of consecutive executions of one strategy. Reports of
/// units are added to the result in the order of the agenda, so the result does not depend on the number of processes.
/// Compiled programs whose steps become known during the search are an exception (`SearchRound`). Must be called while
/// the process has one thread: it forks.
package struct SearchSupervisor {
    private let plan: SearchPlan
    private var agenda: Agenda
    private var board: SearchBoard
    private let signals: BlockedSignals
    private var round: SearchRound
    private let watch: (SearchProgress) -> Void
    /// In the search of one machine's share of a divided search: receives each report when it arrives. See
    /// `searchShare`.
    private var record: Record = { _, _, _, _ throws(SupervisionFailed) in }
    /// Whether the search ends when it knows how it can be divided.
    private var onlyDivides = false
    /// The processes, by slot. Nil: the process is gone.
    private var processes: [SearchProcess?] = []
    /// The schedules after which the program has ended its process or hung. New processes avoid them.
    private var ends: [FatalEnd] = []
    /// The findings of these executions.
    private var fatalFindings: [(Counterexample, Verdict)] = []
    private var result = SearchResult()
    /// By unit: reports that have arrived, but must be added after others.
    private var reports: [Int: UnitReport] = [:]
    /// The first unit that is not part of the result.
    private var frontier = 0
    /// Whether a process will report how the search can be divided, after its units.
    private var awaitsDivision: Bool
    /// The parts into which the search is divided. Empty: it is not divided, or not yet.
    private var division: [SearchPart] = []
    /// Adds up the reports of the parts.
    private var tally = PartTally(partCount: 0)

    /// The real time that processes have to stop by themselves, in nanoseconds.
    private static let grace: UInt64 = 300_000_000
    /// The extra real time for the first execution, in nanoseconds, so that a search on a busy machine shows at least
    /// that one.
    private static let reprieve: UInt64 = 400_000_000
    /// The maximum number of distinct fatal ends, after which the search stops.
    private static let mostEnds = 1000

    /// A function that receives the number of a unit, its report, the number of the process, and the time that the
    /// process has computed or slept so far, in nanoseconds.
    package typealias Record = (Int, UnitReport, Int, UInt64) throws(SupervisionFailed) -> Void

    /// - Parameter watch: receives the progress of the search at intervals.
    package static func run(
        _ plan: SearchPlan, telling: Telling = .all, watch: @escaping (SearchProgress) -> Void = { _ in }
    ) throws(SupervisionFailed) -> (result: SearchResult, findings: [ExplainedFinding]) {
        let signals = BlockedSignals([SIGINT, SIGTERM, SIGHUP])
        defer { signals.restore() }
        return try StagedSearch.run(plan) { plan throws(SupervisionFailed) in
            let supervisor = try runRounds(plan, signals, watch) { supervisor throws(SupervisionFailed) in
                try supervisor.run()
            }
            return try explain(supervisor.result, plan, telling, signals)
        }
    }

    /// Runs a divisible search up to the point at which it is divided.
    ///
    /// - Returns: the result so far, and the parts that are left to search. No parts: the search is over. One part: it
    ///   cannot be divided.
    package static func divide(
        _ plan: SearchPlan, watch: @escaping (SearchProgress) -> Void = { _ in }
    ) throws(SupervisionFailed) -> (result: SearchResult, parts: [SearchPart]) {
        let signals = BlockedSignals([SIGINT, SIGTERM, SIGHUP])
        defer { signals.restore() }
        let supervisor = try runRounds(plan, signals, watch) { supervisor throws(SupervisionFailed) in
            supervisor.onlyDivides = true
            try supervisor.search()
        }
        let isOver = supervisor.result.isOver || supervisor.result.stop != nil || supervisor.awaitsDivision
        return (supervisor.result, isOver ? [] : supervisor.division)
    }

    /// Searches some parts, or some units, of a divided search.
    ///
    /// - Parameters:
    ///   - agenda: the agenda of the share.
    ///   - record: receives each report when it arrives. Reports of one part arrive in order.
    package static func searchShare(
        _ plan: SearchPlan, _ agenda: Agenda, watch: @escaping (SearchProgress) -> Void, record: @escaping Record
    ) throws(SupervisionFailed) -> SearchResult {
        let signals = BlockedSignals([SIGINT, SIGTERM, SIGHUP])
        defer { signals.restore() }
        return try run(plan, signals, watch) { supervisor throws(SupervisionFailed) in
            supervisor.agenda = agenda
            supervisor.awaitsDivision = false
            supervisor.tally = PartTally(partCount: agenda.parts.count)
            supervisor.record = record
            try supervisor.search()
        }.result
    }

    /// Runs as many rounds as needed (`SearchRound`), and returns the last one.
    private static func runRounds(
        _ plan: SearchPlan, _ signals: BlockedSignals, _ watch: @escaping (SearchProgress) -> Void,
        _ body: (inout SearchSupervisor) throws(SupervisionFailed) -> Void
    ) throws(SupervisionFailed) -> SearchSupervisor {
        var round = SearchRound(isOnly: false, until: plan.searchEnd)
        while true {
            let supervisor = try run(plan, signals, watch) { supervisor throws(SupervisionFailed) in
                supervisor.round = round
                try body(&supervisor)
            }
            let isCut = supervisor.round.isCut
            // A round that was cut is always followed by another, in which the accesses that `takeMissedSteps` takes
            // are steps.
            guard isCut || supervisor.canBeRepeated, plan.scenario.takeMissedSteps() || isCut else { return supervisor }
            round = supervisor.round.next
        }
    }

    private static func run(
        _ plan: SearchPlan, _ signals: BlockedSignals, _ watch: @escaping (SearchProgress) -> Void,
        _ body: (inout SearchSupervisor) throws(SupervisionFailed) -> Void
    ) throws(SupervisionFailed) -> SearchSupervisor {
        var supervisor = try SearchSupervisor(plan, signals, watch)
        do throws(SupervisionFailed) {
            try body(&supervisor)
        } catch {
            supervisor.endProcesses()
            throw error
        }
        supervisor.result.escape = plan.scenario.escape
        return supervisor
    }

    private init(
        _ plan: SearchPlan, _ signals: BlockedSignals, _ watch: @escaping (SearchProgress) -> Void
    ) throws(SupervisionFailed) {
        self.plan = plan
        self.signals = signals
        self.watch = watch
        round = SearchRound(isOnly: true, until: plan.searchEnd)
        awaitsDivision = plan.isDivisible
        agenda = plan.isDivisible ? plan.agendaBeforeDivision : plan.agenda
        board = try SearchBoard(slots: plan.jobs)
        result.partWithoutProver = plan.partWithoutProver
    }

    private mutating func run() throws(SupervisionFailed) {
        try search()
        if round.isCut { return }
        if result.stop == nil && !result.isOver && agenda.parts.isEmpty && !division.isEmpty { try searchParts() }
        if result.isWithoutGraphs { throw .withoutGraphs(plan) }
        if !isOver && result.stop == nil && !round.isCut { result.stop = .executions }
    }

    /// Whether the search can be repeated in another round (`SearchRound`). It cannot if something would be lost:
    /// findings, or a number of executions that the user asked for. With other steps, a prefix would also lose its
    /// meaning. There must be as much time left as the search has taken.
    private var canBeRepeated: Bool {
        result.stop == nil && plan.executions == .max && plan.prefix.choices.isEmpty && fatalFindings.isEmpty
            && result.discrepancy == nil && !result.hasDiverged && round.hasTime
            && result.findings.allSatisfy(isTolerated)
            && reports.values.allSatisfy { $0.findings.allSatisfy(isTolerated) }
    }

    private func isTolerated(_ finding: Counterexample) -> Bool { plan.goal.tolerated.contains(finding.kind) }

    /// Searches the parts of the divided search. They contain the executions so far, which are counted again.
    private mutating func searchParts() throws(SupervisionFailed) {
        agenda = Agenda(parts: division, of: plan.strategy ?? .dpor)
        tally = PartTally(partCount: division.count)
        board = try SearchBoard(slots: plan.jobs)
        result.countAgain()
        // A report may be left that arrived twice, because a process died while it looked for parts.
        reports = [:]
        frontier = 0
        try search()
    }

    /// Starts the processes, and watches them until the search is over.
    private mutating func search() throws(SupervisionFailed) {
        for duty in duties {
            let choices = try SharedChoices(capacity: plan.rules.maximumSteps)
            processes.append(try start(duty, processes.count, choices))
        }
        while !isOver && !round.isCut && processes.contains(where: { $0 != nil }) {
            try lookAtProcesses()
            addReports()
            watch(progress)
            if result.stop == nil && isEndless { result.stop = .endless }
            if result.stop == nil { lookForReasonToStop() }
            if result.stop != nil { break }
            // Copied, because the closure must not use `self` while `round` changes.
            let (executions, scenario) = (counts.executions, plan.scenario)
            if canBeRepeated { round.cut(ifDueAfter: executions) { scenario.hasMissedSteps } }
        }
        if result.stop != nil { try windUp() }
        endProcesses()
    }

    // MARK: - Assigning work

    /// By process: which units it runs.
    private var duties: [SearchWorker.Duty] {
        if !agenda.parts.isEmpty {
            let duty = SearchWorker.Duty(isProver: true, isSearcher: false)
            return Array(repeating: duty, count: min(plan.jobs, agenda.parts.count))
        }
        var first = SearchWorker.Duty(isFirst: true, isProver: agenda.hasProver(), isSearcher: true)
        if !agenda.hasPortfolio { return [first] }
        if plan.jobs > 1 && agenda.hasProver() { first.isSearcher = false }
        return [first] + repeatElement(SearchWorker.Duty(isProver: false, isSearcher: true), count: plan.jobs - 1)
    }

    private func start(
        _ duty: SearchWorker.Duty, _ number: Int, _ choices: SharedChoices
    ) throws(SupervisionFailed) -> SearchProcess {
        let slot = board.slot(number)
        slot.pointee.reset()
        let process = try WatchedProcess(choices, signals) { mailbox in
            SearchWorker(
                plan: plan, agenda: agenda, duty: duty, board: board, slot: slot, choices: choices, mailbox: mailbox,
                ends: ends
            ).run()
        }
        return SearchProcess(duty: duty, slot: slot, knownEnds: ends.count, process: process)
    }

    // MARK: - During the search

    private mutating func lookAtProcesses() throws(SupervisionFailed) {
        let haveNews = WatchedProcess.awaitNews(of: processes.map { $0?.process })
        for (slot, hasNews) in haveNews.enumerated() where processes[slot] != nil {
            if hasNews {
                try receive(from: slot)
            } else if plan.scenario.runsOwnCode && processes[slot]!.process.isStuck(for: plan.stepTime) {
                processes[slot]!.process.end()
                try replace(after: .hang, slot)
            }
        }
    }

    private mutating func receive(from slot: Int) throws(SupervisionFailed) {
        var news: [SearchWorker.News] = []
        let isThere: Bool
        do throws(DamagedMessage) {
            isThere = try processes[slot]!.process.receive { words throws(DamagedMessage) in
                news.append(try words.message())
            }
        } catch {
            processes[slot]!.process.end()
            processes[slot] = nil
            throw SupervisionFailed(DamagedMessage.explanation)
        }
        for item in news { try take(item, from: slot) }
        if isThere { return }
        let status = processes[slot]!.process.reap()
        if let mistake = plan.scenario.ownMistake {
            processes[slot] = nil
            throw SupervisionFailed(mistake)
        }
        if processes[slot]!.process.isDone {
            processes[slot] = nil
        } else if plan.scenario.runsOwnCode {
            try replace(after: .crash, slot)
        } else {
            processes[slot] = nil
            throw SupervisionFailed("a search process died with status \(status)")
        }
    }

    private mutating func take(_ news: SearchWorker.News, from slot: Int) throws(SupervisionFailed) {
        switch news {
        case .report(let unit, let report):
            if let obstacle = report.obstacle, isInternal(obstacle) {
                // If accesses should have been steps and were not, the searched program differs from the real one, so
                // this is no bug.
                let hasMissedSteps = plan.scenario.hasMissedSteps
                guard hasMissedSteps || plan.scenario.mayDecideUnseen else {
                    throw .internalError("\(obstacle)", of: plan)
                }
                if hasMissedSteps && canBeRepeated { return round.cut() }
            }
            reports[unit] = report
            try record(unit, report, slot, processes[slot]?.process.ownTime() ?? 0)
        case .discrepancy(let discrepancy): result.discrepancy = discrepancy
        case .division(let parts):
            awaitsDivision = false
            // A search that cannot be divided continues with the whole agenda, as its process does.
            if parts.count > 1 || onlyDivides { division = parts } else { agenda = plan.agenda }
        }
    }

    /// Whether the obstacle is a bug in threadlab, if all steps of the program are known. A program with code of its
    /// own may behave differently under the same choices; a `.lab` program cannot.
    private func isInternal(_ obstacle: Obstacle) -> Bool {
        switch obstacle {
        case .misjudged: true
        case .diverged: !plan.scenario.runsOwnCode
        case .time, .sharedThread, .tooLong, .hiddenRace, .sharedBudget: false
        }
    }

    /// Replaces a process that the program has ended, or in which it hung. The new process continues the work, and
    /// avoids the choices that led there.
    private mutating func replace(after verdict: Verdict, _ slot: Int) throws(SupervisionFailed) {
        guard let process = processes[slot] else { return }
        processes[slot] = nil
        if result.stop != nil { return }
        var duty = process.duty
        if let unit = process.slot.pointee.unit {
            guard try note(verdict, process, unit) else {
                result.stop = result.stop ?? .fatalEnds
                return
            }
            duty.resumesAt = unit
        } else {
            // The process only tested whether the program can be searched. The search itself will reach this point.
            duty.isFirst = false
        }
        processes[slot] = try start(duty, slot, process.process.choices)
    }

    /// Records a fatal end.
    ///
    /// - Returns: whether the search can continue. It cannot if no choice precedes the end, if the end should have been
    ///   avoided, or if there are too many ends.
    private mutating func note(
        _ verdict: Verdict, _ process: SearchProcess, _ index: Int
    ) throws(SupervisionFailed) -> Bool {
        let schedule = process.process.choices.log.schedule
        let place = try place(of: schedule)
        // If it happens before the first step, it happens in every execution.
        let isAtOnce = schedule.choices.isEmpty
        guard result.stop == nil, let kind = verdict.outcome,
            let unit = agenda.unit(isAtOnce ? 0 : index)
        else { return false }
        let number = (isAtOnce ? 0 : process.slot.pointee.counts.counts.executions) + 1
        fatalFindings.append(
            (
                Counterexample(
                    kind, place: place, schedule: schedule, steps: schedule.stepCount, number: number,
                    strategy: unit.strategy), verdict
            ))
        let wasKnown = ends[..<process.knownEnds].contains { $0.schedule == schedule }
        ends.append(FatalEnd(verdict, place: place, schedule: schedule))
        return !isAtOnce && !wasKnown && ends.count < Self.mostEnds
    }

    /// Where the program is when it ends its process (`fatalPlace`), found by repeating the schedule.
    private mutating func place(of schedule: Schedule) throws(SupervisionFailed) -> Int {
        var run = RunPlan(plan.scenario, .replay(schedule), timeout: plan.replayTime, rules: plan.rules)
        run.isSilent = true
        run.end = round.deadline.orAfter(Self.reprieve)
        let trace = try Supervisor.finish(run).trace
        if let signal = trace.interruption { result.interrupt(by: signal) }
        return trace.fatalPlace
    }

    private mutating func lookForReasonToStop() {
        if let signal = signals.wait(nanoseconds: 0) { return result.interrupt(by: signal) }
        if exceedsMemory { result.stop = .memory }
        let deadline = plan.isShort(seeing: counts.traits) ? round.half : round.deadline
        guard deadline.isOver else { return }
        if counts.executions > 0 || deadline.isOver(by: Self.reprieve) { result.stop = .time }
    }

    /// Whether every strategy has had its turn, and each execution was cut off at the step limit.
    private var isEndless: Bool { plan.goal.givesUpEndless && frontier >= agenda.round && result.wasCutOff }

    private var exceedsMemory: Bool {
        guard let limit = plan.memory else { return false }
        return processes.contains { $0.map { $0.process.residentBytes > limit } ?? false }
    }

    /// Whether a process that was asked to stop exceeds the memory limit by more than an eighth.
    private func growsFurther(_ slot: Int) -> Bool {
        guard result.stop == .memory, let limit = plan.memory, let process = processes[slot] else { return false }
        return process.process.residentBytes > limit + limit / 8
    }

    private var progress: SearchProgress {
        SearchProgress(
            counts: counts,
            findings: result.findings.count,
            sample: result.sample.executions == 0 ? nil : (result.sample.count, result.sample.chanceOfNew),
            elapsed: RecordingClock.nanoseconds() - round.begin)
    }

    /// The counts of the result, of the reports that wait to be added to it, and of the units in progress that run for
    /// the first time.
    private var counts: SearchCounts {
        var counts = result.counts
        for report in reports.values { counts += report.counts }
        for case let process? in processes {
            guard let unit = process.slot.pointee.unit, unit >= frontier, reports[unit] == nil else { continue }
            counts += process.slot.pointee.counts.counts
        }
        return counts
    }

    // MARK: - The result

    /// Whether no further report can change the result.
    private var isOver: Bool {
        result.isOver || (!agenda.hasProver(besides: result.bounded) && !agenda.hasPortfolio)
            || (agenda.unit(frontier) == nil && !awaitsDivision)
    }

    /// Adds the next reports in the order of the agenda to the result.
    private mutating func addReports() {
        while !isOver {
            if let prover = agenda.prover(of: frontier), result.bounded.contains(prover) {
                frontier += 1
            } else if let unit = agenda.unit(frontier), let report = reports.removeValue(forKey: frontier) {
                let isLast = add(report, of: unit.strategy)
                frontier = isLast ? agenda.next(afterLast: frontier) : frontier + 1
            } else {
                return
            }
        }
    }

    /// - Returns: whether it was the last report of a part.
    private mutating func add(_ report: UnitReport, of strategy: StrategyChoice) -> Bool {
        let (report, isLast) = agenda.parts.isEmpty ? (report, false) : tally.settle(report)
        result.add(report, of: strategy, plan.goal)
        return isLast
    }

    /// Asks all processes to stop, and adds what each has done so far, even if reports of earlier units are missing.
    private mutating func windUp() throws(SupervisionFailed) {
        board.stop()
        let end = Deadline(after: Self.grace)
        while processes.contains(where: { $0 != nil }) {
            let haveNews = WatchedProcess.awaitNews(of: processes.map { $0?.process })
            for (slot, hasNews) in haveNews.enumerated() where processes[slot] != nil {
                if hasNews {
                    try receive(from: slot)
                } else if end.isOver || growsFurther(slot) {
                    try cutOff(slot)
                }
            }
        }
        for unit in reports.keys.sorted() where !result.isOver {
            if let strategy = agenda.unit(unit)?.strategy { _ = add(reports[unit]!, of: strategy) }
        }
        // Adds the findings of ended processes whose unit was not run again in time.
        for (finding, verdict) in fatalFindings { result.addFatal(finding, verdict) }
    }

    /// Kills a process that does not stop by itself. The executions that it has counted are added.
    private mutating func cutOff(_ slot: Int) throws(SupervisionFailed) {
        guard var process = processes[slot] else { return }
        processes[slot] = nil
        let time = process.process.ownTime()
        process.process.end()
        guard let unit = process.slot.pointee.unit, unit >= frontier, reports[unit] == nil else { return }
        var report = UnitReport()
        report.counts = process.slot.pointee.counts.counts
        report.end = .stopped
        reports[unit] = report
        try record(unit, report, slot, time)
    }

    private mutating func endProcesses() {
        for process in processes { process?.process.end() }
        processes = []
    }
}

extension SupervisionFailed {
    /// A bug that makes the search unreliable: see `internalError`.
    static func internalError(_ what: String, of plan: SearchPlan) -> SupervisionFailed {
        let strategy = plan.strategy.map { " --strategy \($0.rawValue)" } ?? ""
        let rules = plan.scenario.options(plan.rules.changes.map { .init(name: $0.name, value: $0.value) })
        return .internalError(what, repeatedBy: "explore \(plan.scenario.call)\(rules)\(strategy)")
    }

    /// See `SearchResult.isWithoutGraphs`.
    package static func withoutGraphs(_ plan: SearchPlan) -> SupervisionFailed {
        .internalError("the search of all graphs found none, and every program has one", of: plan)
    }
}
