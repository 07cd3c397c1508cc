import Machine

/// Lets time pass beside threads that repeat themselves.
///
/// If a thread waits for a deadline while the others can follow a cycle of states forever, time passes in each state of
/// the cycle (`ClockWatch` decides the same for an execution). The graph of all states shows which states these are.
/// The states that follow enlarge the graph, so this is repeated until nothing is new.
extension StateWalk {
    /// Lets time pass in each such state of the graph where it has not passed yet. All states must have been expanded,
    /// and the space must keep threads distinct.
    ///
    /// - Parameter reachEnd: called with the number of each new state in which an execution ends.
    /// - Returns: whether there was such a state.
    func passTime(_ fairness: Rules.Fairness, _ reachEnd: (Int) -> Void) -> Bool {
        let found = statesBesideCycles(fairness).filter { $0 >= isTimed.count || !isTimed[$0] }
        isTimed += Array(repeating: false, count: states.count - isTimed.count)
        for state in found {
            isTimed[state] = true
            passTime(state, reachEnd)
        }
        return !found.isEmpty
    }

    /// Whether there is a state in which time has to pass beside a cycle.
    func waitsBesideCycles(_ fairness: Rules.Fairness) -> Bool { !statesBesideCycles(fairness).isEmpty }

    /// The states in which time passes beside a cycle, in order of their numbers.
    private func statesBesideCycles(_ fairness: Rules.Fairness) -> [Int] {
        graph.growTo(states.count)
        var result: Set<Int> = []
        for thread in waitingThreads(in: 0..<states.count) {
            var search = FairCycleSearch(
                stateCount: states.count, threads: space.subject.mostThreads, fairness, .waiting(thread))
            result.formUnion(search.states(in: graph))
        }
        return result.filter { isBusy($0) }.sorted()
    }

    /// The threads that wait for a deadline in some of these states.
    private func waitingThreads(in states: Range<Int>) -> [Int] {
        var threads: Set<Int> = []
        for state in states {
            for edge in graph.edges(of: state) where edge.isDeadline { threads.insert(edge.thread) }
        }
        return threads.sorted()
    }

    /// Whether anything but ends of waits without a signal can happen in the state. If not, time passes there without a
    /// cycle (`StateSpace.forEachMove`).
    private func isBusy(_ state: Int) -> Bool { graph.edges(of: state).contains { $0.isStep } }

    // MARK: - Schedules

    /// The schedule of an execution that takes these moves from the beginning. Before time passes beside a cycle, it
    /// goes around the cycle, because the driver lets time pass only then.
    func timedSchedule(of path: Path, _ fairness: Rules.Fairness) -> Schedule {
        graph.growTo(states.count)
        let place = space.place
        defer { space.goBack(to: place) }
        var plan: [PlannedPath.Part] = []
        for (state, move) in path {
            if move == .passTime {
                if isBusy(state) { plan.append(.cycle(cycle(from: state, fairness))) }
                plan.append(.time)
            } else {
                plan.append(.step(move))
            }
        }
        let chooser = PlannedPath(plan)
        _ = space.subject.execute(chooser)
        return space.subject.schedule
    }

    /// A cycle that begins at the state, and beside which a thread waits for a deadline.
    private func cycle(from state: Int, _ fairness: Rules.Fairness) -> [StateMove] {
        for thread in waitingThreads(in: state..<state + 1) {
            var search = FairCycleSearch(
                stateCount: states.count, threads: space.subject.mostThreads, fairness, .waiting(thread))
            if let cycle = search.cycle(from: state, in: graph) { return cycle.map(move) }
        }
        preconditionFailure("time passes in a state that is in no cycle")
    }

    /// The move of an edge. The graph does not store the alternative, so this looks for it.
    func move(from state: Int, by edge: StateGraph.Edge) -> StateMove {
        if edge.isTime { return .passTime }
        var result = StateMove(thread: edge.thread, way: 0)
        if !edge.hasWays { return result }
        let target = row(of: Int(edge.target))
        space.enter(states.row(state))
        space.forEachMove { move, row in
            let leadsThere = (0..<space.width).allSatisfy { row[$0] == target[$0] }
            if leadsThere && move != .passTime && move.thread == edge.thread { result = move }
        }
        return result
    }
}

/// Follows a path through a graph of states.
private final class PlannedPath: Chooser {
    enum Part {
        case step(StateMove)
        /// Steps that lead back to the state before them.
        case cycle([StateMove])
        case time
    }

    private let parts: [Part]
    private var position = 0
    /// If the plan is in a cycle: the remaining steps of this round, and the number of further rounds that may be
    /// tried.
    private var rest: ArraySlice<StateMove> = []
    private var roundsLeft = 0
    /// The alternative of the step just chosen. Nil: it has only one.
    private var way: Int?

    init(_ parts: [Part]) { self.parts = parts }

    var cycleSearch: CycleSearch { .atPlansEnd }
    var plan: ChoosersPlan { .followed }

    func begin() {}

    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        guard let move = nextMove() else { return nil }
        way = state.alternatives(of: move.thread) > 1 ? move.way : nil
        let thread = UInt16(move.thread)
        return enabled.contains(thread) ? thread : nil
    }

    private func nextMove() -> StateMove? {
        if let move = rest.popFirst() { return move }
        guard position < parts.count else { return nil }
        switch parts[position] {
        case .step(let move):
            position += 1
            return move
        case .cycle(let moves):
            position += 1
            rest = moves[...]
            roundsLeft = Self.mostRounds
            return rest.popFirst()
        case .time:
            // The driver has not found the cycle yet, so another round follows: the driver's states include values that
            // no instruction reads any more, which may differ in the first round.
            guard position > 0, case .cycle(let moves) = parts[position - 1], roundsLeft > 0 else { return nil }
            roundsLeft -= 1
            rest = moves[...]
            return rest.popFirst()
        }
    }

    /// The maximum number of further rounds of a cycle, if the driver does not find the cycle in the first.
    private static let mostRounds = 3

    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        defer { way = nil }
        return way ?? (takesTime() ? 0 : 1)
    }

    /// Nil after the last part: an execution that follows the schedule should show there that it ends in a cycle.
    func letsTimePass(beside thread: UInt16, state: MachineState) -> Bool? {
        rest.isEmpty && position == parts.count ? nil : takesTime()
    }

    /// Whether time passes in the next part of the plan, which is then taken.
    private func takesTime() -> Bool {
        guard rest.isEmpty, position < parts.count, case .time = parts[position] else { return false }
        position += 1
        return true
    }
}
