import Machine
import Trace

/// What a search by states may use, and how it searches.
package struct StateSettings: Sendable {
    package var rules = Rules()
    package var isReduced = true
    package var exchanges = true
    /// Whether the newest state is expanded first: memory is no smaller, but long executions are reached early. Otherwise
    /// the oldest is, and the first finding has the shortest schedule.
    package var isDepthFirst = false
    /// Whether a state that has been expanded is known by a hash alone: that takes a third of the memory, and proves nothing.
    package var isCompacted = false
    /// The order in which the states are searched, as a seed: depth first, from each state in a random order, with hashes of its own. Nil: the
    /// order of the threads.
    package var order: UInt64?
    /// In bytes. What grows by copying itself needs both copies for a moment: a search ends before they need more, as far as can be told
    /// between two looks.
    package var memory = 2 << 30
    /// Under tso, the maximum number of states in which stores reach memory after an execution has ended.
    package var mostOrdersAtEnd = 10_000

    package init() {}

    /// Makes it the search of one of several that is not the whole one: it finds, and proves nothing.
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

/// Searches a subject's states, each once, until all have been seen: then it has proved what an execution of the subject
/// can end in.
///
/// Data races are found in two ways. At first a race is two accesses that could be next: a state in which two threads are
/// about to access the same cell. That needs nothing beside the state, and suffices to prove that there is none, if every
/// step finds only what is ordered before it (`Act.findsOnlyOrdered`). Otherwise, and to find executions that complete with
/// a race, the search begins again with what threads know of each other's accesses in the state (`RaceKnowledge`).
///
/// If the states have cycles, there are executions that never end. All states are then visited again, and searched for
/// a cycle that a fair scheduler can follow forever (`FairCycleSearch`): a livelock; or, where the program says what
/// progress is, one in which a thread makes none, or one that a race leads into. If a thread waits for time beside such a cycle, they are visited again, and
/// time passes there too (`StateWalk.passTime`).
///
/// A program that counts in such a cycle has infinitely many states, so that phase does not come. Of a larger program that counts, cycles are also
/// sought from the beginning, without what only counts (`CycleScout`).
package final class StateSearch {
    private enum Phase {
        /// Races are between neighbors.
        case neighbors
        /// Races are in the state.
        case races
        /// All endings are known. Cycles are sought among all states, with no reduction, because they are about each thread.
        case cycles
        /// The same, but time also passes beside threads that repeat themselves, so not all endings are known. Races are in the state.
        case time
    }

    private let subject: any StatefulSubject
    private let goal: SearchGoal
    private let settings: StateSettings
    private var phase: Phase
    private var walk: StateWalk
    /// How often the limits are compared with what is used: more often, if a step can find states that need much memory.
    private let stepsBetweenLimits: Int
    private var report = UnitReport()
    private var known: Set<Counterexample.Identity> = []
    private var isFound = false
    /// The sought states that have been reached.
    private var seenStates: Set<Int> = []
    /// The number of states that prove the endings.
    private var total = 0
    /// Whether stores wait in buffers; and what sees the races of executions that are repeated with a graph.
    private let isBuffered: Bool
    private let races = RaceWatch()
    /// The findings that were repeated.
    private var repeated: Set<Counterexample.Identity> = []
    private var unrepeatedCount = 0
    private static let mostUnrepeated = 100
    /// Why what was seen is not all.
    private var obstacle: Obstacle?
    /// Under tso: whether a thread has waited for a moment. When time passes beside stores that wait is not explored in all orders, so
    /// nothing is proved then.
    private var seesTime = false
    /// The number of final states, of all phases in which they are looked at, as that of states is.
    private var endCount = 0
    /// Whether one of them has a race, also where something else is how it ends.
    private var hasRace = false
    /// What looks for cycles beside the search. Nil: nothing does, or it is over.
    private var scout: CycleScout?
    private var hasScouted = false
    /// The number of states from which on it does.
    private static let statesBeforeScout = 2048
    /// The kinds of cycles that are among the terminals.
    private var cyclesAmongTerminals: Set<OutcomeKind> = []
    /// The counts at the end of the last report.
    private var reported = SearchCounts()
    /// Those of earlier phases.
    private var earlier = SearchCounts()

    package init(_ subject: any StatefulSubject, _ goal: SearchGoal, _ settings: StateSettings = StateSettings()) {
        self.subject = subject
        self.goal = goal
        var settings = settings
        if settings.isCompacted { settings.isDepthFirst = settings.order != nil }
        // The memory that a failure leaves behind depends on steps that it does not depend on.
        if goal.countsTerminals { settings.isReduced = false }
        self.settings = settings
        isBuffered = settings.rules.followedModel == .tso
        precondition(settings.rules.followedModel != .rc11, "under rc11, a state is the whole past")
        // That a race is one of two steps that could be next holds under sc.
        phase = isBuffered && subject.machine.hasCells ? .races : .neighbors
        if isBuffered { subject.observers = [races] }
        let space = StateSpace(
            subject, settings.rules, isReduced: settings.isReduced, exchanges: settings.exchanges,
            isBuffered: isBuffered, tracksRaces: phase == .races)
        walk = StateWalk(space, settings)
        stepsBetweenLimits = Self.stepsBetweenLimits(space, settings)
    }

    private func begin(_ next: Phase) {
        if next == .cycles { scout = nil }
        // Time that passes may be what lets a program count.
        if next == .time { hasScouted = false }
        walk.settle()
        earlier = counts
        withheld = []
        // Executions that continue forever as they should may have races, and no end that shows them.
        let mayRaceForever = phase == .races && subject.hasExpectations
        phase = next
        let isAboutCycles = next == .cycles || next == .time
        let space = StateSpace(
            subject, settings.rules, isReduced: settings.isReduced && !isAboutCycles, exchanges: false,
            isBuffered: isBuffered,
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
    ///   - isStopped: whether to stop; asked now and then.
    ///   - publish: receives the counts now and then.
    package func run(
        _ number: Int, isStopped: () -> Bool = { false }, publish: (SearchCounts) -> Void = { _ in }
    ) -> UnitReport {
        report = UnitReport()
        // The initial state may be an end, and belongs to the first report.
        if walk.states.count == 0 { walk.begin(reachEnd) }
        report.end = search(number, isStopped, publish)
        walk.settle()
        report.counts = news
        reported = counts
        if report.end == .exhausted {
            if seesTime && obstacle == nil { obstacle = .timeBesideStores }
            // All that it has seen is not all that there is.
            if settings.isCompacted || obstacle != nil { report.end = .bounded }
            if obstacle == nil { report.distinct = total }
            report.obstacle = obstacle
        }
        return report
    }

    private func search(_ number: Int, _ isStopped: () -> Bool, _ publish: (SearchCounts) -> Void) -> UnitReport.End {
        var step = 0
        var nextLook = 0
        while step < number {
            if step >= nextLook {
                nextLook = step + Self.stepsBetweenLooks
                publish(news)
                if isStopped() { return .stopped }
            }
            if step % stepsBetweenLimits == 0 {
                walk.settle()
                if let scout, scout.walk.memory > settings.memory / 2 || scout.walk.isFull { self.scout = nil }
                if let scout, walk.memoryAhead + scout.walk.memoryAhead > settings.memory { self.scout = nil }
                if walk.memoryAhead > settings.memory || walk.isFull { return .bounded }
            }
            lookForCycles()
            if isFound { return .found }
            if let limit = limitOfBuffers {
                obstacle = limit
                return .exhausted
            }
            let walk = walk
            if let next = walk.next() {
                if isBuffered && !seesTime {
                    walk.space.loadNow()
                    seesTime = subject.machine.hasDeadlines
                }
                expand(next, walk)
                step += 1
            } else if !hasNextPhase() {
                return isFound ? .found : .exhausted
            }
        }
        return isFound ? .found : .done
    }

    /// Where the program counts, continues the search for cycles that is beside this one.
    private func lookForCycles() {
        if let scout {
            scout.advance()
            guard scout.isOver else { return }
            self.scout = nil
            noteCycles(of: scout.walk)
        } else if !hasScouted && walk.states.count >= Self.statesBeforeScout {
            hasScouted = true
            // Where cycles are sought already, all states are known.
            guard phase != .cycles && subject.hasCounters && !isBuffered && !settings.isCompacted else { return }
            scout = CycleScout(subject, settings.rules)
        }
    }

    /// What the store buffers of the machine cannot do.
    private var limitOfBuffers: Obstacle? {
        guard let buffers = subject.machine.buffers else { return nil }
        return buffers.isOverfull ? .fullBuffer : buffers.isOvertaken ? .cellBesideStores : nil
    }

    private static let stepsBetweenLooks = 256
    /// It decides where a search ends that reaches a limit.
    private static let mostStepsBetweenLimits = 1 << 12

    /// So often that what is found in between is a small part of the limit, if each thread's step leads to a new state with new components.
    private static func stepsBetweenLimits(_ space: StateSpace, _ settings: StateSettings) -> Int {
        let state = space.width * 4 + space.subject.longestComponent * 8
        return min(mostStepsBetweenLimits, max(1, settings.memory / 8 / max(1, space.subject.mostThreads * state)))
    }

    private func expand(_ number: Int, _ walk: StateWalk) {
        if phase == .neighbors && walk.space.accessesAreAdjacent {
            begin(.races)
        } else {
            if goal.seeksStatesOnTheWay && seenStates.count < goal.soughtStates {
                walk.space.loadNow()
                lookForStates()
            }
            walk.expand(number, reachEnd)
        }
    }

    /// All states have been seen. Whether there is more to do; if so, it has begun.
    private func hasNextPhase() -> Bool {
        switch phase {
        case .cycles:
            if subject.mayPassTimeBesideOthers && walk.waitsBesideCycles(settings.rules.fairness) {
                if isBuffered {
                    obstacle = .timeBesideStores
                    noteCycles(of: walk)
                    return false
                }
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
        case .neighbors, .races: return hasPhaseAfterEndings()
        }
    }

    private func noteCycles(of walk: StateWalk) {
        walk.forEachFairCycle(settings.rules.fairness) { run in
            // One with a race continues as it should: it ends in no state.
            let isNew = run.kind != .race && cyclesAmongTerminals.insert(run.kind).inserted
            if isBuffered {
                if goal.countsTerminals && isNew {
                    report.terminals.add(TerminalState(run.kind, [])) { schedule(of: run.path, loop: run.loop) }
                }
                note(run.kind, place: run.place, run.path, loop: run.loop)
                return !isFound && known.count < Self.mostFindings
            }
            let execution = execution(of: run, walk)
            if goal.countsTerminals && isNew {
                report.terminals.add(TerminalState(run.kind, [])) { execution.schedule }
            }
            if !goal.harmless.contains(run.kind) { note(run.kind, place: execution.place, execution.schedule) }
            return !isFound && known.count < Self.mostFindings
        }
    }

    /// A schedule that leads into the cycle and once around, and the place of its execution as the driver sees it: the driver, which knows no
    /// graph, may take a smaller cycle for what is wrong. 0: it sees none there.
    private func execution(of run: StateWalk.EndlessRun, _ walk: StateWalk) -> (schedule: Schedule, place: Int) {
        let schedule = walk.schedule(of: run.path + run.loop, settings.rules.fairness)
        if run.kind == .race { return (schedule, run.place) }
        if subject.execute(Replay(schedule)).outcome == run.kind { return (schedule, subject.place) }
        // The driver compares what no instruction reads any more too, which may differ once.
        let longer = walk.schedule(of: run.path + run.loop + run.loop, settings.rules.fairness)
        return subject.execute(Replay(longer)).outcome == run.kind ? (longer, subject.place) : (schedule, 0)
    }

    private func hasPhaseAfterEndings() -> Bool {
        if phase == .neighbors && subject.machine.hasCells && walk.space.hasFoundUnordered {
            // There may be races that are never between neighbors.
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

    /// States in which an execution completes, unless a race is found, which would be how it ends.
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

    /// An execution can end in this state, in which the subject is now.
    ///
    /// - Parameter known: the place, of a subject that has been put back into the state.
    private func reachEnd(_ number: Int, _ row: [UInt32], isSure: Bool, at known: Int? = nil) {
        if phase == .cycles { return }
        guard var verdict = walk.space.verdict(of: row) else { return }
        // Now, because a subject that is put back into the state does not know how it ended.
        lookForStates()
        var place = verdict == .completed ? 0 : known ?? subject.place
        if verdict.yieldsToRace && !isSure && subject.machine.hasCells { return withheld.append((number, row, place)) }
        endCount += 1
        if walk.space.racePlace != nil { hasRace = true }
        if verdict.yieldsToRace, let race = walk.space.racePlace {
            verdict = .race
            place = race
        }
        guard let kind = verdict.outcome else { return }
        // Before a schedule is made, which runs the subject.
        let others = verdict.isOfClaim ? subject.otherBrokenClaims.compactMap(Counterexample.Identity.init) : []
        if goal.countsTerminals {
            let (memories, isAll) = subject.machine.drainAtEnd(most: settings.mostOrdersAtEnd)
            if !isAll { obstacle = obstacle ?? .manyOrders }
            // Where claims are judged in each state, one may have ended the execution before.
            if !isBuffered || isRepeated(verdict, walk.path(to: number)) {
                for memory in memories {
                    report.terminals.add(TerminalState(kind, memory)) { schedule(of: walk.path(to: number)) }
                }
            }
        }
        note(kind, place: place, walk.path(to: number))
        for other in others { note(other.kind, place: other.place, walk.path(to: number)) }
    }

    /// Whether the execution ends in the same way on the machine with a graph, whose schedule a row of outcomes shows.
    private func isRepeated(_ verdict: Verdict, _ path: StateWalk.Path) -> Bool {
        let found = run(path, [])
        // Where claims are judged in each state, one may have ended the execution before; what is a race was found without one.
        if found == verdict || verdict == .race { return true }
        if !found.isOfClaim { obstacle = .unrepeated }
        return false
    }

    /// Notes which sought states the present execution has reached.
    private func lookForStates() {
        guard seenStates.count < goal.soughtStates else { return }
        seenStates.formUnion(goal.seenStates(subject))
        report.seenStates = seenStates
    }

    private func schedule(of path: @autoclosure () -> StateWalk.Path, loop: StateWalk.Path = []) -> Schedule {
        if !isBuffered { return walk.schedule(of: path() + loop, settings.rules.fairness) }
        _ = run(path(), loop)
        return subject.schedule
    }

    private func note(
        _ kind: OutcomeKind, place: Int, _ path: @autoclosure () -> StateWalk.Path, loop: StateWalk.Path = []
    ) {
        if goal.harmless.contains(kind) { return }
        if !isBuffered { return note(kind, place: place, schedule(of: path(), loop: loop)) }
        guard repeated.count < Self.mostFindings, repeated.insert(.init(kind: kind, place: place)).inserted else {
            return
        }
        // The schedule that reports show is that of the machine with a graph, which must end in the same way.
        let verdict = run(path(), loop)
        let race = verdict.yieldsToRace ? races.firstRace : nil
        guard let found = (race == nil ? verdict : .race).outcome, found == kind else {
            // Another way there may do.
            unrepeatedCount += 1
            if unrepeatedCount < Self.mostUnrepeated { repeated.remove(.init(kind: kind, place: place)) }
            // There, a claim is judged as soon as a store is made: it has ended the execution before, and is the finding.
            if verdict == .claim { return note(.claim, place: subject.place, subject.schedule) }
            // What repeats itself, or waits for time, may need another schedule.
            assert(
                !loop.isEmpty || walk.space.passesTime || subject.machine.isObserved,
                "the machine with a graph ends in \(verdict), and not in \(kind)")
            obstacle = loop.isEmpty ? .unrepeated : .unrepeatedCycle
            return
        }
        note(kind, place: kind == .completed ? 0 : race?.place ?? subject.place, subject.schedule)
        for other in verdict.isOfClaim ? subject.otherBrokenClaims.compactMap(Counterexample.Identity.init) : [] {
            note(other.kind, place: other.place, subject.schedule)
        }
    }

    /// The execution on the machine with a graph.
    private func run(_ path: StateWalk.Path, _ loop: StateWalk.Path) -> Verdict {
        let plan = StorePlan(path.map(\.move), loop: loop.map(\.move), on: subject)
        return subject.execute(StorePlanChooser(plan, isLoop: !loop.isEmpty))
    }

    private func note(_ kind: OutcomeKind, place: Int, _ schedule: @autoclosure () -> Schedule) {
        guard known.count < Self.mostFindings, known.insert(.init(kind: kind, place: place)).inserted else { return }
        let schedule = schedule()
        report.findings.append(
            Counterexample(
                kind, place: place, schedule: schedule, steps: schedule.stepCount, number: 1, strategy: .states))
        if goal.ends(at: kind) { isFound = true }
    }

    /// More are not distinguished: no report shows more.
    private static let mostFindings = 1000

    // MARK: - Figures

    /// The number of moves for which a step was taken by the machine, and not remembered.
    package var machineMoveCount: Int { walk.space.machineMoveCount }

    /// All counts so far.
    private var counts: SearchCounts {
        var counts = earlier
        counts.states += walk.states.count
        counts.moves += walk.space.moveCount
        counts.memory = max(counts.memory, walk.memory)
        counts.open = walk.openCount
        counts.depth = walk.depth
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
