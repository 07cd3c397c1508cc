import Machine
import Trace

/// A walk through all states of a space, with a table of those that were found, and a graph of the moves between them.
final class StateWalk {
    let space: StateSpace
    @exclusivity(unchecked) private(set) var states: StateTable
    @exclusivity(unchecked) private(set) var graph = StateGraph()
    @exclusivity(unchecked) private var frontier: Frontier

    /// - Parameter isDepthFirst: whether the newest state is expanded first. Otherwise the oldest is, and each state is
    ///   found by a shortest path.
    init(_ space: StateSpace, isDepthFirst: Bool) {
        self.space = space
        states = StateTable(width: space.width)
        frontier = Frontier(isDepthFirst: isDepthFirst)
    }

    /// Goes to the initial state.
    ///
    /// - Parameter reachEnd: called if the execution has ended in it, with its number; likewise below.
    func begin(_ reachEnd: (Int) -> Void) {
        let row = space.begin()
        _ = states.add(row, from: 0, by: .passTime)
        if space.verdict(of: row) == nil { frontier.add(0) } else { reachEnd(0) }
    }

    /// The next state to expand, in which the subject is then. Nil: none is left.
    func next() -> Int? {
        guard let number = frontier.next() else { return nil }
        space.load(states.row(number))
        return number
    }

    /// Finds the states to which the state leads that `next` has returned.
    func expand(_ number: Int, _ reachEnd: (Int) -> Void) {
        graph.begin(number)
        addFacts()
        space.forEachMove { move, row in
            let (target, isNew) = states.add(row, from: number, by: move)
            let thread = move == .passTime ? 0 : move.thread
            graph.add(.init(to: target, by: thread, isBranch: space.isBranch, isProgress: space.isProgress))
            if !isNew { return }
            if row[space.width - 1] == 0 { frontier.add(target) } else { reachEnd(target) }
        }
    }

    /// What is true in the state, and matters for cycles: a thread that can step when time has passed, because a fair scheduler
    /// lets it pass; and what is expected to happen.
    private func addFacts() {
        guard space.keepsThreads else { return }
        let machine = space.subject.machine
        for thread in 0..<machine.threadCount where machine.hasDeadline(thread) { graph.add(.deadline(of: thread)) }
        guard space.subject.hasExpectations else { return }
        for thread in 0..<machine.threadCount where space.subject.makesProgress(thread) {
            graph.add(.expectation(of: thread))
        }
        if space.subject.isUnfulfilled { graph.add(.unfulfilled) }
    }

    /// Whether there may be no numbers left for the next states.
    var isFull: Bool { states.count >= StateTable.most }
    /// In bytes.
    var memory: Int { states.memory + graph.memory + space.memory }

    /// Whether there are infinite executions.
    func hasCycle() -> Bool {
        graph.growTo(states.count)
        return space.hasLooped && graph.hasCycle(among: states.count)
    }

    /// A cycle that a fair scheduler can follow forever, and that should not be: how an execution that goes in it ends, and
    /// a schedule that leads into the cycle and once around it. Nil: there is none. Only if the space keeps threads apart.
    func fairCycle(_ fairness: Rules.Fairness) -> (kind: OutcomeKind, schedule: Schedule)? {
        graph.growTo(states.count)
        for goal in goals {
            var search = FairCycleSearch(stateCount: states.count, fairness, goal)
            guard let cycle = search.cycle(in: graph) else { continue }
            let loop = cycle.map { (row(of: $0.state), StateMove(thread: $0.edge.thread, way: 0)) }
            return (goal.outcome, space.schedule(of: moves(to: cycle[0].state) + loop))
        }
        return nil
    }

    /// What to look for, the most severe first. Where there is no progress at all, no thread is said to starve.
    private var goals: [FairCycleSearch.Goal] {
        var threads: Set<Int> = []
        var mayBeUnfulfilled = false
        for state in 0..<states.count {
            for edge in graph.edges(of: state) {
                if edge.isExpectation { threads.insert(edge.thread) }
                if edge.isUnfulfilled { mayBeUnfulfilled = true }
            }
        }
        return [.noProgress] + (mayBeUnfulfilled ? [.unfulfilled] : []) + threads.sorted().map { .noProgressOf($0) }
    }

    // MARK: - Paths

    func schedule(to number: Int) -> Schedule { space.schedule(of: moves(to: number)) }

    private func moves(to number: Int) -> [(row: [UInt32], move: StateMove)] {
        var moves: [(row: [UInt32], move: StateMove)] = []
        var state = number
        while state != 0 {
            let (parent, move) = states.origin(of: state)
            moves.append((row(of: parent), move))
            state = parent
        }
        return moves.reversed()
    }

    private func row(of state: Int) -> [UInt32] {
        Array(UnsafeBufferPointer(start: states.row(state), count: space.width))
    }
}
