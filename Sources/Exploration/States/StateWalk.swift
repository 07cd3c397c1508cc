import Machine
import Trace

/// A walk through all states of a space, with a table of the states and a graph of the moves between them.
final class StateWalk {
    let space: StateSpace
    @exclusivity(unchecked) private(set) var states: StateTable
    @exclusivity(unchecked) var graph = StateGraph()
    /// The states that have been found and not yet expanded. Depth first, they are in `newest`; breadth first, they are
    /// those from the number `oldest` on, because states are expanded in the order in which they were found.
    @exclusivity(unchecked) private var newest = OpenStates()
    @exclusivity(unchecked) private var oldest = 0
    /// The distance of the states expanded now from the first one, in moves. 0 if the walk is depth-first, which does
    /// not know it.
    @exclusivity(unchecked) private(set) var depth = 0
    /// The number of the first state that is farther away.
    @exclusivity(unchecked) private var deeper = 1
    /// The moves whose states have not been looked up yet.
    @exclusivity(unchecked) private var pending: PendingMoves
    private let isDepthFirst: Bool
    /// The state to which the graph's last edges belong.
    @exclusivity(unchecked) private var source = -1
    /// By state: whether time passes in it beside threads that repeat themselves (`passTime`).
    @exclusivity(unchecked) var isTimed: [Bool] = []
    var passesTimeBesideOthers: Bool { !isTimed.isEmpty }

    /// - Parameters:
    ///   - isDepthFirst: whether the newest state is expanded first. Otherwise the oldest is, and each state is found
    ///     by a shortest path.
    ///   - isCompacted: whether states are compared by their hashes, and there is no graph.
    ///   - order: for a depth-first walk, the seed of the order in which a state's successors are expanded, and of
    ///     hashes.
    init(_ space: StateSpace, isDepthFirst: Bool, isCompacted: Bool = false, order: UInt64? = nil) {
        self.space = space
        states = StateTable(
            width: space.width, isCompacted: isCompacted, keepsRows: !(isCompacted && isDepthFirst), seed: order ?? 0)
        pending = PendingMoves(width: space.width)
        self.isDepthFirst = isDepthFirst
        newest = OpenStates(order: order, rowWidth: states.keepsRows ? 0 : space.width)
    }

    convenience init(_ space: StateSpace, _ settings: StateSettings) {
        self.init(
            space, isDepthFirst: settings.isDepthFirst, isCompacted: settings.isCompacted, order: settings.order)
    }

    /// Goes to the initial state.
    ///
    /// - Parameter reachEnd: called with the state's number if an execution ends in it. The same holds for the methods
    ///   below.
    func begin(_ reachEnd: (Int) -> Void) {
        let row = space.begin()
        _ = states.add(row, from: 0, by: .passTime)
        if space.verdict(of: row) != nil { reachEnd(0) } else if isDepthFirst { newest.append(0, row) }
    }

    /// The next state to expand, which becomes the present one. Nil: none is left.
    func next() -> Int? {
        guard let number = isDepthFirst ? newest.popLast() : takeOldest() else { return nil }
        // A row that the table does not keep is still in the memory from which it was taken.
        space.enter(states.keepsRows ? UnsafePointer(states.row(number)) : newest.lastTaken)
        return number
    }

    /// The oldest state in which no execution ends, and which has not been expanded. Nil: none is left.
    private func takeOldest() -> Int? {
        let end = space.width - 1
        while true {
            if oldest == deeper || oldest == states.count {
                lookUp()
                if oldest == states.count { return nil }
                if oldest == deeper { (depth, deeper) = (depth + 1, states.count) }
            }
            let number = oldest
            oldest += 1
            states.forget(before: number)
            // No execution has ended in it.
            if states.row(number)[end] == 0 { return number }
        }
    }

    /// Looks up all pending moves, so that counts include exactly the states found so far.
    func settle() { lookUp() }

    /// The number of states that have been found and not yet expanded.
    var openCount: Int { isDepthFirst ? newest.count : states.count - oldest }

    /// Finds the successors of the state that `next` has returned.
    func expand(_ number: Int, _ reachEnd: (Int) -> Void) {
        addFacts(number)
        let before = newest.count
        space.forEachMove { add($0, $1, from: number, reachEnd) }
        if isDepthFirst {
            lookUp()
            newest.shuffle(from: before)
        }
    }

    /// The moves that leave a state. Only after all states have been found. The state becomes the present one.
    func moves(from number: Int) -> [(move: StateMove, target: Int)] {
        var moves: [(move: StateMove, target: Int)] = []
        func add(_ move: StateMove, _ row: UnsafePointer<UInt32>) {
            moves.append((move, states.add(row, from: number, by: move).number))
        }
        space.enter(states.row(number))
        space.forEachMove(add)
        if isTimed.indices.contains(number), isTimed[number] { space.passTime(add) }
        space.loadNow()
        return moves
    }

    /// Adds a move that leaves the state with this number.
    @inline(__always)
    private func add(_ move: StateMove, _ row: UnsafePointer<UInt32>, from number: Int, _ reachEnd: (Int) -> Void) {
        pending.add(
            row,
            .init(
                hash: states.hash(row), source: UInt32(truncatingIfNeeded: number), move: move.word,
                isBranch: space.isBranch, hasWays: space.hasWays, isProgress: space.isProgress, isDue: space.isDue))
        if row[space.width - 1] != 0 {
            // Looked up at once, while the subject is in this final state.
            if let new = lookUp() { reachEnd(new) }
        } else if pending.isFull {
            lookUp()
        }
    }

    /// Looks up the states to which the pending moves lead.
    ///
    /// - Returns: the number of the last move's state, if it is new.
    @discardableResult
    private func lookUp() -> Int? {
        var last: Int?
        let end = space.width - 1
        pending.prepare(states)
        for i in 0..<pending.count {
            let (row, made) = pending[i]
            let move = StateMove(word: made.move)
            let (target, isNew) = states.add(row, hash: made.hash, from: Int(made.source), by: move)
            if !states.isCompacted { addEdge(move, to: target, made) }
            last = isNew ? target : nil
            if isNew && isDepthFirst && row[end] == 0 { newest.append(target, row) }
        }
        pending.removeAll()
        return last
    }

    @inline(__always) private func addEdge(_ move: StateMove, to target: Int, _ made: PendingMoves.Move) {
        beginEdges(of: Int(made.source))
        graph.add(
            move == .passTime
                ? .time(to: target)
                : .init(
                    to: target, by: move.thread, isBranch: made.isBranch, isProgress: made.isProgress,
                    isDue: made.isDue, hasWays: made.hasWays))
    }

    /// Adds to an expanded state the move in which time passes.
    func passTime(_ number: Int, _ reachEnd: (Int) -> Void) {
        lookUp()
        graph.reopen(number)
        source = number
        space.enter(states.row(number))
        space.passTime { add($0, $1, from: number, reachEnd) }
        lookUp()
    }

    /// Begins to add edges of this state to the graph.
    @inline(__always) private func beginEdges(of number: Int) {
        if number == source { return }
        source = number
        graph.begin(number)
    }

    /// Adds facts about the state that matter for cycles: threads that can step when time has passed, which a fair
    /// scheduler lets happen, and expectations of the program.
    private func addFacts(_ number: Int) {
        guard space.keepsThreads && !states.isCompacted else { return }
        for thread in 0..<space.threadCount where space.hasDeadline(thread) { addFact(.deadline(of: thread), number) }
        guard space.subject.hasExpectations else { return }
        if space.raceNumber != 0 { addFact(.race(space.raceNumber), number) }
        space.loadNow()
        for thread in 0..<space.threadCount where space.subject.makesProgress(thread) {
            addFact(.expectation(of: thread), number)
        }
        if space.subject.isUnfulfilled { addFact(.unfulfilled, number) }
    }

    private func addFact(_ fact: StateGraph.Edge, _ number: Int) {
        lookUp()
        beginEdges(of: number)
        graph.add(fact)
    }

    /// Whether the numbers for states are used up.
    var isFull: Bool { states.count >= StateTable.most }
    /// The memory in use, in bytes.
    var memory: Int { states.memory + graph.memory + space.memory + newest.memory }
    /// The memory in use, and the additional memory that tables will need when they grow soon.
    var memoryAhead: Int { memory + space.memoryToGrow + states.memoryToGrow }

    /// Whether some execution never ends. False if there is no graph, which is needed to know.
    func hasCycle() -> Bool {
        if states.isCompacted { return false }
        graph.growTo(states.count)
        return space.hasLooped && graph.hasCycle()
    }

    /// The fault of an execution that follows a cycle forever, the path that leads into the cycle, and one round of it.
    typealias EndlessRun = (kind: OutcomeKind, place: Int, path: Path, loop: Path)
    /// Moves, each with the state that it leaves.
    typealias Path = [(state: Int, move: StateMove)]

    /// Visits cycles that a fair scheduler can follow forever although the program should not run so, or after a race:
    /// one for each kind of fault and place. Only if the space keeps threads distinct.
    ///
    /// Each strongly connected component is judged by itself, because a fault of one says nothing about the others.
    ///
    /// - Parameter visit: returns whether to continue.
    func forEachFairCycle(_ fairness: Rules.Fairness, _ visit: (EndlessRun) -> Bool) {
        graph.growTo(states.count)
        let facts = facts
        var known: Set<Counterexample.Identity> = []
        var continues = true
        for (goal, kind) in facts.faults where continues {
            var search = FairCycleSearch(stateCount: states.count, threads: space.subject.mostThreads, fairness, goal)
            search.forEachCycle(in: graph) { cycle in
                let cycle = closedOnce(cycle)
                let place = place(of: kind, cycle)
                if known.insert(.init(kind: kind, place: place)).inserted {
                    continues = visit(run(kind, place: place, cycle))
                }
                return continues
            }
        }
        for number in facts.races where continues {
            var search = FairCycleSearch(
                stateCount: states.count, threads: space.subject.mostThreads, fairness, .race(number))
            guard let cycle = search.cycle(in: graph) else { continue }
            continues = visit(run(.race, place: space.racePlace(number), cycle))
        }
    }

    private func run(_ kind: OutcomeKind, place: Int, _ cycle: FairCycleSearch.Walk) -> EndlessRun {
        (kind, place, path(to: cycle[0].state), cycle.map { ($0.state, move(from: $0.state, by: $0.edge)) })
    }

    /// The same cycle, beginning if possible at a state that it visits only once. The driver sees only states that an
    /// execution has visited, and would take a part of the cycle for the whole.
    private func closedOnce(_ cycle: FairCycleSearch.Walk) -> FairCycleSearch.Walk {
        var visits: [Int: Int] = [:]
        for (state, _) in cycle { visits[state, default: 0] += 1 }
        // The driver does not look for cycles where time has just passed beside threads that repeat themselves.
        let starts = cycle.indices.filter { !cycle[($0 + cycle.count - 1) % cycle.count].edge.isTime }
        guard let start = starts.first(where: { visits[cycle[$0].state] == 1 }) ?? starts.first else { return cycle }
        return Array(cycle[start...] + cycle[..<start])
    }

    private func place(of kind: OutcomeKind, _ cycle: FairCycleSearch.Walk) -> Int {
        let start = cycle[0].state
        space.enter(states.row(start))
        space.loadNow()
        if kind == .livelock {
            return space.subject.placeOfCycle(Set(cycle.filter { !$0.edge.isTime }.map(\.edge.thread)).sorted())
        }
        let expected = graph.edges(of: start).filter(\.isExpectation).map(\.thread)
        let starving = Set(expected).subtracting(cycle.filter(\.edge.isProgress).map(\.edge.thread))
        return space.subject.placeOfStarvation(starving.sorted())
    }

    /// The states in cycles that a fair scheduler can follow forever although the program should not run so, each with
    /// its most severe fault.
    func statesOfFairCycles(_ fairness: Rules.Fairness) -> [(kind: OutcomeKind, states: [Int])] {
        graph.growTo(states.count)
        var found: [(kind: OutcomeKind, states: [Int])] = []
        var worse: Set<Int> = []
        for (goal, kind) in facts.faults {
            var search = FairCycleSearch(stateCount: states.count, threads: space.subject.mostThreads, fairness, goal)
            var states = search.states(in: graph)
            if kind == .livelock { worse.formUnion(states) } else { states.removeAll { worse.contains($0) } }
            if !states.isEmpty { found.append((kind, states.sorted())) }
        }
        return found
    }

    /// The possible faults of cycles, the most severe first (in a cycle without any progress, no thread is reported as
    /// starving), and the races.
    private var facts: (faults: [(FairCycleSearch.Goal, OutcomeKind)], races: [Int]) {
        var expected: Set<Int> = []
        var races: Set<Int> = []
        var mayBeUnfulfilled = false
        for state in 0..<states.count {
            for edge in graph.edges(of: state) {
                if edge.isExpectation { expected.insert(edge.thread) }
                if edge.isUnfulfilled { mayBeUnfulfilled = true }
                if let race = edge.race { races.insert(race) }
            }
        }
        let faults: [(FairCycleSearch.Goal, OutcomeKind)] =
            [(.noProgress, .livelock)] + (mayBeUnfulfilled ? [(.unfulfilled, .livelock)] : [])
            + expected.sorted().map { (.noProgressOf($0), .starvation) }
        return (faults, races.sorted())
    }

    // MARK: - Paths

    /// A schedule that leads to the state. The subject may be in another state afterwards.
    func schedule(to number: Int, _ fairness: Rules.Fairness) -> Schedule {
        schedule(of: path(to: number), fairness)
    }

    func schedule(of path: Path, _ fairness: Rules.Fairness) -> Schedule {
        if states.isCompacted { return space.schedule(of: compactedMoves(path.map(\.move))) }
        return passesTimeBesideOthers
            ? timedSchedule(of: path, fairness) : space.schedule(of: path.map { (row(of: $0.state), $0.move) })
    }

    /// The moves from the initial state to this one, each with the state that it leaves.
    func path(to number: Int) -> Path {
        var moves: Path = []
        var state = number
        while state != 0 {
            let (parent, move) = states.origin(of: state)
            moves.append((parent, move))
            state = parent
        }
        return moves.reversed()
    }

    /// Computes again, from the initial state on, the rows that the table has dropped.
    private func compactedMoves(_ path: [StateMove]) -> [(row: [UInt32], move: StateMove)] {
        let place = space.place
        defer { space.goBack(to: place) }
        var row = row(at: space.begin())
        return path.map { move in
            let before = row
            row.withUnsafeBufferPointer { space.load($0.baseAddress!) }
            space.forEachMove { if $0 == move { row = self.row(at: $1) } }
            return (before, move)
        }
    }

    private func row(at address: UnsafePointer<UInt32>) -> [UInt32] {
        Array(UnsafeBufferPointer(start: address, count: space.width))
    }

    func row(of state: Int) -> [UInt32] {
        Array(UnsafeBufferPointer(start: states.row(state), count: space.width))
    }
}
