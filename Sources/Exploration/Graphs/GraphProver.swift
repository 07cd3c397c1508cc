import Machine
import Trace

/// Searches the execution graphs of a program (`GraphSearch`), and reports how they end. Each finding is repeated on
/// the machine, which must end in the same way: reports show the machine's schedule.
package final class GraphProver {
    private let subject: any GraphSearchable
    private let goal: SearchGoal
    private let search: GraphSearch
    private let model: MemoryModel
    /// Observes races in the machine's executions.
    private let races = RaceWatch()
    private var report = UnitReport()
    private var known: Set<Counterexample.Identity> = []
    /// The pairs of accesses that were found to race, each as one word.
    private var knownRaces: Set<UInt64> = []
    /// The number of steps of the present execution up to a race. Nil: no race was found in it.
    private var stepsToRace: Int?
    /// Whether an execution with a race ended in something more severe, so that the race was not reported. Another
    /// execution with this race may complete, so executions that complete are then repeated on the machine too.
    private var hidesRaces = false
    private var seenStates: Set<Int> = []
    /// Whether the search ends, because it has found what it was to find.
    private var isFound = false
    // The arguments of the present call of `run`.
    private var most = 0
    private var publish: (SearchCounts) -> Void = { _ in }
    private var isStopped: () -> Bool = { false }
    /// The thread on which the search runs. Nil: the search has not begun.
    private var thread: SearchThread?
    /// Whether there was no memory for that thread.
    private var hasFailed = false
    /// Whether the search has to end, because the prover is deinitialized.
    private var isLeft = false

    /// - Parameters:
    ///   - rules: rules with a model weaker than sc. Under sc, a read of the machine always finds the newest value, but
    ///     a plan only puts events after what they depend on, so the machine would execute something other than the
    ///     graph. Also, cells are atomics in a graph of sc, so no race would be found. Under sc, partial-order search
    ///     is the prover.
    ///   - part: the graphs to search; by default, all.
    package init(
        _ subject: any GraphSearchable, _ goal: SearchGoal, _ rules: Rules, part: SearchPart = SearchPart()
    ) {
        precondition(rules.followedModel != .sc, "graphs prove under tso and rc11")
        self.subject = subject
        self.goal = goal
        model = rules.model
        search = GraphSearch(subject.makeGraphSubject(), rules.model, spurious: rules.spuriousWakeups)
        if !part.branches.isEmpty { search.guide = GraphGuide(part.branches) }
        subject.observers = [races]
    }

    /// The counts of the graphs visited so far.
    package var counts: GraphSearch.Counts { search.counts }

    deinit {
        isLeft = true
        if !hasFailed { while let thread, !thread.hasEnded { _ = thread.resume() } }
    }

    /// Continues the search.
    ///
    /// - Parameters:
    ///   - most: the maximum number of executions in this call.
    ///   - isStopped: whether to stop; asked at each end of an execution and at each race.
    ///   - publish: receives the counts while the search runs.
    package func run(
        _ most: Int, isStopped: () -> Bool, publish: @escaping (SearchCounts) -> Void
    ) -> UnitReport {
        report = UnitReport()
        self.most = most
        self.publish = publish
        // The check by `withoutActuallyEscaping` contains the file's path. A fixed name takes the place of the path
        // here, because the code must not depend on the folder.
        #sourceLocation(file:"GraphProver.swift, run",line:77)
        withoutActuallyEscaping(isStopped) { isStopped in
            self.isStopped = isStopped
            hasFailed = !(thread ?? begin()).resume()
            self.isStopped = { false }
        }
        #sourceLocation()
        // Every program has a graph that ends, or in which threads wait forever. If none was found, graphs were judged
        // wrongly. A part of a search may have none: see `SearchResult.add`.
        if end == .exhausted, search.guide == nil,
            search.counts.complete + search.counts.failed + search.counts.stuck == 0
        {
            search.stop(.misjudged)
        }
        countExecutionOfRace()
        publish(report.counts)
        self.publish = { _ in }
        report.seenStates = seenStates
        report.end = end
        report.obstacle = search.obstacle
        if report.end == .exhausted {
            report.distinct = search.counts.complete + search.counts.failed + search.counts.stuck
        }
        return report
    }

    /// Makes the thread that runs the search.
    private func begin() -> SearchThread {
        search.onEnd = { [unowned(unsafe) self] ending in
            examine(ending)
            if report.counts.executions.isMultiple(of: Self.executionsPerPublication) { publish(report.counts) }
            return !isFound && !isLeft && mayContinue()
        }
        search.onRace = { [unowned(unsafe) self] earlier, later in
            examineRace(of: earlier, later)
            return !isFound && !isLeft && !isStopped()
        }
        let new = SearchThread { [unowned(unsafe) self] in search.run() }
        thread = new
        return new
    }

    /// A race is found before its graph is complete. If the search ends before that, counts the execution that showed
    /// the race, which would have been counted at its end.
    private func countExecutionOfRace() {
        guard let steps = stepsToRace, end != .done, end != .exhausted else { return }
        stepsToRace = nil
        report.counts.executions += 1
        report.counts.ended += 1
        report.counts.steps += steps
        report.counts.longest = max(report.counts.longest, steps)
    }

    /// Pauses the search if this call of `run` has done its executions. Returns false if the search has to end.
    private func mayContinue() -> Bool {
        if isStopped() { return false }
        if report.counts.executions >= most { thread!.pause() }
        return !isLeft
    }

    private var end: UnitReport.End {
        if isFound { return .found }
        // Without memory for its thread, the search tries nothing.
        if hasFailed || search.obstacle != nil { return .bounded }
        if !thread!.hasEnded { return .done }
        return search.isStopped ? .stopped : .exhausted
    }

    // MARK: - Ends

    /// Examines how a graph ends. Called on the search's thread.
    private func examine(_ ending: GraphSearch.Ending) {
        stepsToRace = nil
        if ending == .unfinished {
            report.counts.redundant += 1
            return
        }
        report.counts.executions += 1
        report.counts.longest = max(report.counts.longest, search.stepCount)
        report.counts.steps += search.stepCount
        report.counts.ended += 1
        let seeksStates = seenStates.count < goal.soughtStates
        // An execution that completes is repeated on the machine only if its final values matter, if completing is a
        // finding, or if it may show a race.
        guard
            ending != .completed || seeksStates || goal.countsTerminals || !goal.harmless.contains(.completed)
                || hidesRaces
        else { return }
        let verdict = repeated(search.failedEvent.map { [$0] } ?? [])
        // The machine's step limit can be lower than the number of events that a graph has room for.
        if verdict == .stepLimit { return search.stop(.tooLong) }
        // What a racing read returns is undefined, so the graph and the machine may then differ.
        guard races.firstRace != nil || agrees(verdict, ending) else {
            assertionFailure("the machine ended a graph that \(ending) in \(verdict)")
            return search.stop(.misjudged)
        }
        note(verdict)
    }

    private func agrees(_ verdict: Verdict, _ ending: GraphSearch.Ending) -> Bool {
        switch ending {
        case .completed: verdict == .completed
        case .failed: !verdict.isGood
        case .stuck: verdict == .deadlock || verdict == .livelock || verdict == .endless
        case .unfinished: false
        }
    }

    /// Examines a race, which the search has just found, by repeating the two accesses on the machine.
    private func examineRace(of earlier: EventName, _ later: EventName) {
        let pair = UInt64(UInt32(bitPattern: earlier.word)) << 32 | UInt64(UInt32(bitPattern: later.word))
        guard knownRaces.count < Self.mostFindings, knownRaces.insert(pair).inserted else { return }
        let verdict = repeated([earlier, later])
        // If the verdict is more severe than a race, this execution does not end in the race, but another one that
        // continues differently may.
        if !verdict.yieldsToRace {
            hidesRaces = true
            if search.guide != nil { search.stop(.hiddenRace) }
        }
        // In a graph, other threads continue when one has failed; on the machine they do not, and may not reach the
        // race.
        guard races.firstRace != nil || verdict.outcome != nil && !verdict.yieldsToRace else {
            if verdict == .stepLimit { return search.stop(.tooLong) }
            // Otherwise the search could prove that the program has no race.
            assertionFailure("the machine shows no race where a graph has one")
            return search.stop(.misjudged)
        }
        stepsToRace = subject.stepCount
        note(verdict)
        // How this execution could have ended was not seen.
        if verdict == .stepLimit { search.stop(.tooLong) }
    }

    /// Repeats the present graph on the machine, or only as much of it as leads to these events. Empty: all of it.
    private func repeated(_ last: [EventName]) -> Verdict {
        subject.execute(GraphChooser(GraphPlan(search.graph, existing: search.existingThreads, last)))
    }

    /// Records how the machine's last execution ended.
    private func note(_ verdict: Verdict) {
        let race = verdict.yieldsToRace ? races.firstRace : nil
        guard let kind = (race == nil ? verdict : .race).outcome else { return }
        if seenStates.count < goal.soughtStates { seenStates.formUnion(goal.seenStates(subject)) }
        if goal.countsTerminals {
            report.terminals.add(TerminalState(kind, verdict.isCutOff ? [] : subject.machine.memory)) {
                subject.schedule
            }
        }
        note(kind, place: kind == .completed ? 0 : race?.place ?? subject.place)
        guard verdict.isOfClaim else { return }
        for other in subject.otherBrokenClaims.compactMap(Counterexample.Identity.init) {
            note(other.kind, place: other.place)
        }
    }

    private func note(_ kind: OutcomeKind, place: Int) {
        if goal.harmless.contains(kind) { return }
        guard known.count < Self.mostFindings, known.insert(.init(kind: kind, place: place)).inserted else { return }
        report.findings.append(
            Counterexample(
                kind, place: place, schedule: subject.schedule, steps: subject.stepCount,
                number: report.counts.executions + (stepsToRace == nil ? 0 : 1), strategy: .graphs))
        if goal.ends(at: kind) { isFound = true }
    }

    /// The counts are published after each multiple of this number of executions.
    private static let executionsPerPublication = 64
    /// The maximum number of different findings, and of races. No report shows more.
    private static let mostFindings = 1000
}
