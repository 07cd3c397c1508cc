import Machine
import Trace

/// What a search by states may use, and how it searches.
package struct StateSettings: Sendable {
    package var rules = Rules()
    /// Whether orders of independent steps are left out, and whether threads that run the same code are exchanged: see
    /// `StateSpace`.
    package var isReduced = true
    package var exchanges = true
    /// Whether the newest state is expanded first: that takes no less memory, but reaches long executions early.
    /// Otherwise the oldest is expanded first, so that the first finding has the shortest schedule.
    package var isDepthFirst = false
    /// Whether only the hash of an expanded state is kept: that takes a third of the memory, and proves nothing.
    package var isCompacted = false
    /// The seed of the search order of a depth-first search, set by `go`: a random order after each state, and hashes
    /// of its own. Nil: the order of the threads.
    package var order: UInt64?
    /// The memory limit in bytes. A table that grows needs its old and its new memory for a moment: the search ends
    /// before both exceed the limit, as far as it can tell at the time.
    package var memory = 2 << 30

    package init() {}

    /// Makes these the settings of one of several searches, each in an order of its own. Such a search finds failures,
    /// but proves nothing.
    package mutating func go(inOrder member: SearchPart.Member, _ seed: UInt64) {
        (isCompacted, isDepthFirst) = (true, true)
        order = SplitMix64(seed: seed, execution: member.number).first
    }
}

extension SplitMix64 {
    fileprivate var first: UInt64 {
        var generator = self
        return generator.next()
    }
}

/// Visits each state of a subject once, until all have been seen. It has then proved how executions of the subject can
/// end.
///
/// Data races are found in two ways. At first, a race is a state in which two threads are about to access the same
/// cell, at least one of them to write it. That needs nothing in addition to the state, and proves that no race exists
/// if every step finds only what is ordered before it (`Act.findsOnlyOrdered`). Otherwise, and to find executions that
/// complete with a race, the search starts again with states that include what threads know of each other's accesses
/// (`RaceKnowledge`).
///
/// If the states have cycles, some executions never end. All states are then visited again and searched for a cycle
/// that a fair scheduler can follow forever (`FairCycleSearch`): a livelock or, where the program says what progress
/// is, a cycle in which a thread makes none, or one after a race. If a thread waits for time beside such a cycle, the
/// states are visited once again, and time passes beside the cycle too (`StateWalk.passTime`).
///
/// A program that counts in such a cycle has infinitely many states, so the search never reaches that phase. For a
/// larger program with counters, a `CycleScout` therefore looks for cycles from the beginning.
package final class StateSearch {
    private enum Phase {
        /// The first phase: a race is a state in which two threads are about to access the same cell.
        case neighbors
        /// States include what threads know of accesses.
        case races
        /// All endings are known. Looks for cycles among all states, without reduction, because a cycle concerns each
        /// thread.
        case cycles
        /// Like `cycles`, but time also passes beside threads that repeat themselves, so that not all endings are
        /// known. States include what threads know of accesses.
        case time
    }

    private let subject: any StatefulSubject
    private let goal: SearchGoal
    private let settings: StateSettings
    private var phase = Phase.neighbors
    private var walk: StateWalk
    /// The number of states that are expanded between two comparisons with the memory limit: fewer if the states found
    /// from one can need much memory.
    private let stepsBetweenLimits: Int
    private var report = UnitReport()
    private var known: Set<Counterexample.Identity> = []
    /// Whether the search ends, because it has found what it was to find.
    private var isFound = false
    /// The sought states that have been reached.
    private var seenStates: Set<Int> = []
    /// The number of states whose visit proves the endings.
    private var total = 0
    /// The number of final states, in all phases that examine them.
    private var endCount = 0
    /// Whether a final state has a race, even if the execution ended for another reason.
    private var hasRace = false
    /// Looks for cycles beside the search. Nil: it has not begun, or is over.
    private var scout: CycleScout?
    private var hasScouted = false
    /// The scout begins after this number of states.
    private static let statesBeforeScout = 2048
    /// The kinds of cycles that have been added to the terminals.
    private var cyclesAmongTerminals: Set<OutcomeKind> = []
    /// The counts at the end of the last report.
    private var reported = SearchCounts()
    /// The counts of earlier phases.
    private var earlier = SearchCounts()

    package init(_ subject: any StatefulSubject, _ goal: SearchGoal, _ settings: StateSettings = StateSettings()) {
        self.subject = subject
        self.goal = goal
        var settings = settings
        // Of compacted searches, only those with an order of their own are depth-first.
        if settings.isCompacted { settings.isDepthFirst = settings.order != nil }
        // Reduction is off: the memory at a failure depends on steps of which the failure itself is independent.
        if goal.countsTerminals { settings.isReduced = false }
        self.settings = settings
        precondition(settings.rules.followedModel == .sc, "under a weaker model, a state is the whole past")
        let space = StateSpace(
            subject, settings.rules, isReduced: settings.isReduced, exchanges: settings.exchanges)
        walk = StateWalk(space, settings)
        stepsBetweenLimits = Self.affordableSteps(space, settings)
    }

    /// Begins a phase: a new walk from the initial state.
    private func begin(_ next: Phase) {
        if next == .cycles { scout = nil }
        // Only passing time may let the program count, so a new scout may be needed.
        if next == .time { hasScouted = false }
        walk.settle()
        earlier = counts
        withheld = []
        // Executions that rightly continue forever may have races that no final state shows.
        let mayRaceForever = phase == .races && subject.hasExpectations
        phase = next
        let isAboutCycles = next == .cycles || next == .time
        let space = StateSpace(
            subject, settings.rules, isReduced: settings.isReduced && !isAboutCycles, exchanges: false,
            tracksRaces: next == .races || next == .time && subject.machine.hasCells
                || next == .cycles && mayRaceForever)
        walk = StateWalk(space, settings)
        walk.begin(reachEnd)
    }

    // MARK: - The search

    /// Expands states.
    ///
    /// - Parameters:
    ///   - number: the maximum number of states to expand.
    ///   - isStopped: whether to stop; asked at intervals.
    ///   - publish: receives the counts at intervals.
    package func run(
        _ number: Int, isStopped: () -> Bool = { false }, publish: (SearchCounts) -> Void = { _ in }
    ) -> UnitReport {
        report = UnitReport()
        // The initial state may be final, and belongs to the first report.
        if walk.states.count == 0 { walk.begin(reachEnd) }
        report.end = search(number, isStopped, publish)
        walk.settle()
        report.counts = news
        reported = counts
        if report.end == .exhausted {
            // States with equal hashes count as one, so nothing is proved.
            if settings.isCompacted { report.end = .bounded }
            report.distinct = total
        }
        return report
    }

    private func search(_ number: Int, _ isStopped: () -> Bool, _ publish: (SearchCounts) -> Void) -> UnitReport.End {
        var step = 0
        var nextPublication = 0
        while step < number {
            if step >= nextPublication {
                nextPublication = step + Self.stepsBetweenPublications
                publish(news)
                if isStopped() { return .stopped }
            }
            if step % stepsBetweenLimits == 0 {
                walk.settle()
                // The scout gives way to the search: it may use half of the memory, and only what the search leaves.
                if let scout, scout.walk.memory > settings.memory / 2 || scout.walk.isFull { self.scout = nil }
                if let scout, walk.memoryAhead + scout.walk.memoryAhead > settings.memory { self.scout = nil }
                if walk.memoryAhead > settings.memory || walk.isFull { return .bounded }
            }
            lookForCycles()
            if isFound { return .found }
            let walk = walk
            if let next = walk.next() {
                expand(next, walk)
                step += 1
            } else if !beginNextPhase() {
                return isFound ? .found : .exhausted
            }
        }
        return isFound ? .found : .done
    }

    /// If the program counts, continues the scout's search for cycles.
    private func lookForCycles() {
        if let scout {
            scout.advance()
            guard scout.isOver else { return }
            self.scout = nil
            noteCycles(of: scout.walk)
        } else if !hasScouted && walk.states.count >= Self.statesBeforeScout {
            hasScouted = true
            // In the phase `cycles`, all states are known already.
            guard phase != .cycles && subject.hasCounters && !settings.isCompacted else { return }
            scout = CycleScout(subject, settings.rules)
        }
    }

    /// The number of states that are expanded between two publications of the counts.
    private static let stepsBetweenPublications = 256
    /// The maximum of `stepsBetweenLimits`. It decides at which state a search that reaches the limit ends.
    private static let mostStepsBetweenLimits = 1 << 12

    /// The value of `stepsBetweenLimits`: such that the states found between two comparisons take a small part of the
    /// limit, even if each thread's step leads to a new state with new components.
    private static func affordableSteps(_ space: StateSpace, _ settings: StateSettings) -> Int {
        let state = space.width * 4 + space.subject.longestComponent * 8
        return min(mostStepsBetweenLimits, max(1, settings.memory / 8 / max(1, space.subject.mostThreads * state)))
    }

    private func expand(_ number: Int, _ walk: StateWalk) {
        if phase == .neighbors && walk.space.accessesAreAdjacent {
            begin(.races)
        } else {
            if goal.seeksStatesOnTheWay && seenStates.count < goal.soughtStates {
                walk.space.loadNow()
                noteStates()
            }
            walk.expand(number, reachEnd)
        }
    }

    /// All states have been seen. Begins the next phase, or lets time pass in the present one. Returns false if nothing
    /// is left to search.
    private func beginNextPhase() -> Bool {
        switch phase {
        case .cycles:
            if subject.mayPassTimeBesideOthers && walk.waitsBesideCycles(settings.rules.fairness) {
                begin(.time)
                return true
            }
            noteCycles(of: walk)
            return false
        case .time:
            if walk.passTime(settings.rules.fairness, reachEnd) { return true }
            total = walk.states.count
            noteCycles(of: walk)
            return false
        case .neighbors, .races: return beginPhaseAfterEndings()
        }
    }

    /// Reports the fair cycles in the states of a walk.
    private func noteCycles(of walk: StateWalk) {
        walk.forEachFairCycle(settings.rules.fairness) { run in
            // A cycle with a race continues as it should, so it is not a terminal.
            let isNew = run.kind != .race && cyclesAmongTerminals.insert(run.kind).inserted
            let execution = execution(of: run, walk)
            if goal.countsTerminals && isNew {
                report.terminals.add(TerminalState(run.kind, [])) { execution.schedule }
            }
            note(run.kind, place: execution.place, execution.schedule)
            return !isFound && known.count < Self.mostFindings
        }
    }

    /// A schedule that leads into the cycle and once around it, and the place of its execution. The place is the one
    /// that the driver reports: it sees only the execution, and may find the fault in a smaller cycle. 0: the driver
    /// finds no cycle.
    private func execution(of run: StateWalk.EndlessRun, _ walk: StateWalk) -> (schedule: Schedule, place: Int) {
        let schedule = walk.schedule(of: run.path + run.loop, settings.rules.fairness)
        if run.kind == .race { return (schedule, run.place) }
        if subject.execute(Replay(schedule)).outcome == run.kind { return (schedule, subject.place) }
        // The driver's states include values that no instruction reads any more. These may change in the first round,
        // so a second round follows.
        let longer = walk.schedule(of: run.path + run.loop + run.loop, settings.rules.fairness)
        return subject.execute(Replay(longer)).outcome == run.kind ? (longer, subject.place) : (schedule, 0)
    }

    /// The phase `neighbors` or `races` is over. Begins the next phase. Returns false if there is none.
    private func beginPhaseAfterEndings() -> Bool {
        if phase == .neighbors && subject.machine.hasCells && walk.space.hasFoundUnordered {
            // There may be races whose accesses are never adjacent.
            begin(.races)
            return true
        }
        total = walk.states.count
        reachWithheldEnds()
        guard !isFound && walk.hasCycle() else { return false }
        begin(.cycles)
        return true
    }

    // MARK: - Ends

    /// Final states whose ending a race would outrank, with their rows and places. They are kept until it is clear that
    /// no race was found.
    private var withheld: [(number: Int, row: [UInt32], place: Int)] = []

    private func reachWithheldEnds() {
        let numbers = withheld
        withheld = []
        for (number, row, place) in numbers {
            row.withUnsafeBufferPointer { walk.space.load($0.baseAddress!) }
            reachEnd(number, row, isSure: true, at: place)
        }
    }

    private func reachEnd(_ number: Int) {
        let row = UnsafeBufferPointer(start: walk.states.row(number), count: walk.space.width)
        reachEnd(number, Array(row), isSure: phase != .neighbors)
    }

    /// An execution ends in this state, which is the subject's present one.
    ///
    /// - Parameters:
    ///   - isSure: whether it is known that the execution has a race, or that it has none. If not, the ending may be
    ///     withheld.
    ///   - known: the place of the ending, if the subject was restored to this state.
    private func reachEnd(_ number: Int, _ row: [UInt32], isSure: Bool, at known: Int? = nil) {
        if phase == .cycles { return }
        guard var verdict = walk.space.verdict(of: row) else { return }
        // A subject that is restored to this state later does not know how the execution ended, so this cannot wait.
        noteStates()
        var place = verdict == .completed ? 0 : known ?? subject.place
        if verdict.yieldsToRace && !isSure && subject.machine.hasCells { return withheld.append((number, row, place)) }
        endCount += 1
        if walk.space.racePlace != nil { hasRace = true }
        if verdict.yieldsToRace, let race = walk.space.racePlace {
            verdict = .race
            place = race
        }
        guard let kind = verdict.outcome else { return }
        // Must be asked before a schedule is made, which runs the subject.
        let others = verdict.isOfClaim ? subject.otherBrokenClaims.compactMap(Counterexample.Identity.init) : []
        if goal.countsTerminals {
            report.terminals.add(TerminalState(kind, subject.machine.memory)) { schedule(to: number) }
        }
        note(kind, place: place, schedule(to: number))
        for other in others { note(other.kind, place: other.place, schedule(to: number)) }
    }

    /// Records which sought states the present execution has reached.
    private func noteStates() {
        guard seenStates.count < goal.soughtStates else { return }
        seenStates.formUnion(goal.seenStates(subject))
        report.seenStates = seenStates
    }

    private func schedule(to number: Int) -> Schedule { walk.schedule(to: number, settings.rules.fairness) }

    private func note(_ kind: OutcomeKind, place: Int, _ schedule: @autoclosure () -> Schedule) {
        if goal.harmless.contains(kind) { return }
        guard known.count < Self.mostFindings, known.insert(.init(kind: kind, place: place)).inserted else { return }
        let schedule = schedule()
        // The search has no executions that could be numbered.
        report.findings.append(
            Counterexample(
                kind, place: place, schedule: schedule, steps: schedule.stepCount, number: 1, strategy: .states))
        if goal.ends(at: kind) { isFound = true }
    }

    /// The maximum number of different findings. No report shows more.
    private static let mostFindings = 1000

    // MARK: - Figures

    /// The number of moves for which the machine took the step, rather than `StepMemory`.
    package var machineMoveCount: Int { walk.space.machineMoveCount }

    private var counts: SearchCounts {
        var counts = earlier
        counts.states += walk.states.count
        counts.moves += walk.space.moveCount
        counts.memory = max(counts.memory, walk.memory)
        counts.open = walk.openCount
        counts.depth = walk.depth
        // Not a number of executions: 1 if time passed.
        counts.timed = walk.space.passesTime || earlier.timed > 0 ? 1 : 0
        counts.ended = endCount
        counts.traits = subject.machine.traits
        if hasRace { counts.traits.insert(.races) }
        return counts
    }

    /// The counts since the last report.
    private var news: SearchCounts {
        var news = counts
        news.states -= reported.states
        news.moves -= reported.moves
        news.ended -= reported.ended
        return news
    }
}
