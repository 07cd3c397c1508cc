import Machine

/// Time beside threads that repeat themselves.
///
/// Where a thread waits for a moment while the others can go in a cycle of states forever, time passes in each state of
/// the cycle (`ClockWatch` decides the same of an execution). Which states these are follows from the graph of all states; and what
/// follows them makes the graph larger, until nothing is new.
extension StateWalk {
    /// Lets time pass in the states of the graph in which it does, and has not been let. All states must have been expanded, and
    /// the space must keep threads apart.
    ///
    /// - Parameter reachEnd: called if an execution ends in a new state, with its number.
    /// - Returns: whether there were any.
    func passTime(_ fairness: Rules.Fairness, _ reachEnd: (Int) -> Void) -> Bool {
        let found = statesBesideCycles(fairness).filter { $0 >= isTimed.count || !isTimed[$0] }
        isTimed += Array(repeating: false, count: states.count - isTimed.count)
        for state in found {
            isTimed[state] = true
            passTime(state, reachEnd)
        }
        return !found.isEmpty
    }

    /// Whether there are such states.
    func waitsBesideCycles(_ fairness: Rules.Fairness) -> Bool { !statesBesideCycles(fairness).isEmpty }

    /// Those in which threads can step, in order.
    private func statesBesideCycles(_ fairness: Rules.Fairness) -> [Int] {
        graph.growTo(states.count)
        var result: Set<Int> = []
        for thread in waitingThreads(in: 0..<states.count) {
            var search = FairCycleSearch(
                stateCount: states.count, threads: space.actorCount, fairness, .waiting(thread))
            result.formUnion(search.states(in: graph))
        }
        return result.filter { isBusy($0) }.sorted()
    }

    private func waitingThreads(in states: Range<Int>) -> [Int] {
        var threads: Set<Int> = []
        for state in states {
            for edge in graph.edges(of: state) where edge.isDeadline { threads.insert(edge.thread) }
        }
        return threads.sorted()
    }

    /// Whether more can happen in the state than that waits end without a signal; if not, time passes there anyway.
    private func isBusy(_ state: Int) -> Bool { graph.edges(of: state).contains { $0.isStep } }

    // MARK: - Schedules

    /// The schedule of an execution that takes these moves from the beginning. Before time passes beside others, it goes around the
    /// cycle, as the driver demands.
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

    /// A cycle from the state on beside which a thread waits for a moment.
    private func cycle(from state: Int, _ fairness: Rules.Fairness) -> [StateMove] {
        for thread in waitingThreads(in: state..<state + 1) {
            var search = FairCycleSearch(
                stateCount: states.count, threads: space.actorCount, fairness, .waiting(thread))
            if let cycle = search.cycle(from: state, in: graph) { return cycle.map(move) }
        }
        preconditionFailure("time passes in a state that is in no cycle")
    }

    /// The move of an edge: its way is not in the graph.
    func move(from state: Int, by edge: StateGraph.Edge) -> StateMove {
        var result = space.move(edge)
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
        /// Steps that lead back to where they began.
        case cycle([StateMove])
        case time
    }

    private let parts: [Part]
    private var position = 0
    /// The rest of the cycle in which the execution is, and how many times more it may go around.
    private var rest: ArraySlice<StateMove> = []
    private var roundsLeft = 0
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
            // The driver has not seen the cycle: it compares what no instruction reads any more too, which may differ once.
            guard position > 0, case .cycle(let moves) = parts[position - 1], roundsLeft > 0 else { return nil }
            roundsLeft -= 1
            rest = moves[...]
            return rest.popFirst()
        }
    }

    private static let mostRounds = 3

    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        defer { way = nil }
        return way ?? (takesTime() ? 0 : 1)
    }

    /// Behind the last step nothing is chosen any more: an execution that follows the schedule is to show there that it ends in a cycle.
    func letsTimePass(beside thread: UInt16, state: MachineState) -> Bool? {
        rest.isEmpty && position == parts.count ? nil : takesTime()
    }

    /// Whether the next part of the plan is that time passes.
    private func takesTime() -> Bool {
        guard rest.isEmpty, position < parts.count, case .time = parts[position] else { return false }
        position += 1
        return true
    }
}
