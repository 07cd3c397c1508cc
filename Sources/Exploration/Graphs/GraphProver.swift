import Machine
import Trace

/// Searches the execution graphs of a program, and reports what they end in. Each finding is repeated on the machine, which
/// must end in the same way: the schedule that reports show is the machine's.
package final class GraphProver {
    private let subject: any GraphSearchable
    private let goal: SearchGoal
    private let search: GraphSearch
    private let model: MemoryModel
    private let races = RaceWatch()
    private var report = UnitReport()
    private var known: Set<Counterexample.Identity> = []
    private var knownRaces: Set<UInt64> = []
    /// Of the present execution: the steps up to a race in it. Nil: none was found.
    private var stepsToRace: Int?
    /// Whether an execution with a race that was looked at ended otherwise.
    private var hidesRaces = false
    private var seenStates: Set<Int> = []
    private var isFound = false
    // Of the present turn.
    private var most = 0
    private var publish: (SearchCounts) -> Void = { _ in }
    private var isStopped: () -> Bool = { false }
    private var thread: SearchThread?
    private var hasFailed = false
    /// Whether the search ends, because its owner is gone.
    private var isLeft = false

    /// - Parameters:
    ///   - rules: with a model weaker than sc. Under sc, a read of the machine always finds the newest value. A plan
    ///     only puts events after what they depend on, so the machine would execute something other than the graph. And
    ///     cells are atomics in a graph of sc, so no race would be found. Under sc, partial-order search is the prover.
    ///   - part: what is searched of all graphs.
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

    /// Of the graphs so far.
    package var counts: GraphSearch.Counts { search.counts }

    deinit {
        isLeft = true
        if !hasFailed { while let thread, !thread.hasEnded { _ = thread.resume() } }
    }

    /// Continues the search.
    ///
    /// - Parameters:
    ///   - most: the maximum number of executions.
    ///   - isStopped: whether to stop; asked at each end of an execution.
    ///   - publish: receives the counts while it runs.
    package func run(
        _ most: Int, isStopped: () -> Bool, publish: @escaping (SearchCounts) -> Void
    ) -> UnitReport {
        report = UnitReport()
        self.most = most
        self.publish = publish
        // The length of the file's path would become part of the code, which must not depend on the folder.
        #sourceLocation(file:"GraphProver.swift, run",line:69)
        withoutActuallyEscaping(isStopped) { isStopped in
            self.isStopped = isStopped
            hasFailed = !(thread ?? begin()).resume()
            self.isStopped = { false }
        }
        #sourceLocation()
        // Every program has a graph that ends, or in which threads wait forever: without one, some were judged wrongly. A part has perhaps
        // none: see `SearchResult.add`.
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

    private func begin() -> SearchThread {
        search.onEnd = { [unowned(unsafe) self] ending in
            look(at: ending)
            if report.counts.executions & 63 == 0 { publish(report.counts) }
            return !isFound && !isLeft && goesOn()
        }
        search.onRace = { [unowned(unsafe) self] earlier, later in
            look(atRaceOf: earlier, later)
            return !isFound && !isLeft && !isStopped()
        }
        let new = SearchThread { [unowned(unsafe) self] in search.run() }
        thread = new
        return new
    }

    /// A race is found before its graph is complete. If the search ends before that, the execution that shows it is the last one.
    private func countExecutionOfRace() {
        guard let steps = stepsToRace, end != .done, end != .exhausted else { return }
        stepsToRace = nil
        report.counts.executions += 1
        report.counts.ended += 1
        report.counts.steps += steps
        report.counts.longest = max(report.counts.longest, steps)
    }

    /// Pauses when the executions of a turn are done. False: the search ends.
    private func goesOn() -> Bool {
        if isStopped() { return false }
        if report.counts.executions >= most { thread!.pause() }
        return !isLeft
    }

    private var end: UnitReport.End {
        if isFound { return .found }
        // Without memory for its thread, it tries nothing.
        if hasFailed || search.obstacle != nil { return .bounded }
        if !thread!.hasEnded { return .done }
        return search.isStopped ? .stopped : .exhausted
    }

    // MARK: - Ends

    private func look(at ending: GraphSearch.Ending) {
        stepsToRace = nil
        if ending == .unfinished {
            report.counts.redundant += 1
            return
        }
        report.counts.executions += 1
        report.counts.longest = max(report.counts.longest, search.stepCount)
        report.counts.steps += search.stepCount
        report.counts.ended += 1
        let seeks = seenStates.count < goal.soughtStates
        // An execution that completes shows nothing that its graph does not, unless its values count.
        guard
            ending != .completed || seeks || goal.countsTerminals || !goal.harmless.contains(.completed) || hidesRaces
        else { return }
        let verdict = repeated(search.failedEvent.map { [$0] } ?? [])
        // The machine gives up an execution after fewer steps than a graph has room for.
        if verdict == .stepLimit { return search.stop(.tooLong) }
        // What a read returns that races is not defined: there, the graph and the machine may differ.
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

    private func look(atRaceOf earlier: EventName, _ later: EventName) {
        let place = UInt64(UInt32(bitPattern: earlier.word)) << 32 | UInt64(UInt32(bitPattern: later.word))
        guard knownRaces.count < Self.mostFindings, knownRaces.insert(place).inserted else { return }
        let verdict = repeated([earlier, later])
        // Otherwise it is not how this execution ends, which continues from there in any way. Another one may complete.
        if !verdict.yieldsToRace {
            hidesRaces = true
            if search.guide != nil { search.stop(.hiddenRace) }
        }
        // In a graph, other threads continue where one has failed; on the machine they do not.
        guard races.firstRace != nil || verdict.outcome != nil && !verdict.yieldsToRace else {
            if verdict == .stepLimit { return search.stop(.tooLong) }
            // Without it, the graphs would be called free of races.
            assertionFailure("the machine shows no race where a graph has one")
            return search.stop(.misjudged)
        }
        stepsToRace = subject.stepCount
        note(verdict)
        // How else it could have ended was not seen.
        if verdict == .stepLimit { search.stop(.tooLong) }
    }

    /// Runs the machine along the graph, or to these events of it.
    private func repeated(_ last: [EventName]) -> Verdict {
        subject.execute(GraphChooser(GraphPlan(search.graph, existing: search.existingThreads, last)))
    }

    /// The machine's execution ended like this.
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

    /// More are not distinguished: no report shows more.
    private static let mostFindings = 1000
}
