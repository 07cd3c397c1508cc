import Machine
import Trace

/// All states of a small program, described for people, and all moves between them.
///
/// Complete: every alternative of every step is a move, threads are not exchanged, and no order is skipped. So the
/// moves are exactly what the scheduler could do.
package struct StateMap: Sendable {
    /// A step with one of its alternatives, or the passing of time.
    package struct Move: Equatable, Sendable {
        /// The program's number of the thread that steps. Nil: time passes.
        package let thread: Int?
        package let target: Int
        /// The choices of a schedule that make the move.
        package let choices: [Schedule.Choice]

        package var schedule: String { "\(Schedule(choices))" }
    }

    /// By number; the first is the initial state. States are numbered in the order of a breadth-first search.
    package private(set) var states: [ShownState] = []
    /// By state: the moves that leave it. Those of one thread are together, in the order of their alternatives.
    package private(set) var moves: [[Move]] = []
    /// Thread names, by the program's numbers.
    package let threads: [String]
    /// By the machine's numbers. Number 0 stands for no object.
    package let objects: [TraceDocument.Object?]
    /// The states in cycles that a fair scheduler could follow forever although the program should not run so, by the
    /// kind of fault.
    package private(set) var cycles: [(kind: OutcomeKind, states: [Int])] = []
    /// Whether the choices of consecutive moves make a schedule. They do not if time passes beside threads that repeat
    /// themselves, because a schedule must first go around their cycle.
    package let hasSchedules: Bool

    /// Whether there may be data races that no state shows, because the accesses are never adjacent: some step found
    /// something that nothing orders before it, such as a lock that was taken (`Act.findsOnlyOrdered`).
    package let mayHideRaces: Bool

    /// The program has more states than the caller allows.
    package struct TooLarge: Error {
        /// The number of its states, or of those that were counted, and the number of moves between them.
        package let count: Int
        package let moves: Int
        /// Whether there are more: counting was stopped.
        package let isMinimum: Bool
        package let limit: Int
    }

    /// The maximum number of states that are counted.
    package static let mostCounted = 200_000
    /// The maximum memory for counting, in bytes.
    private static let mostMemory = 1 << 28
    /// The maximum number of moves, divided by the maximum number of states. There is such a limit because a step can
    /// have very many alternatives that all lead to the same state.
    private static let movesPerState = 20
    /// The same for states that are only counted.
    private static let movesPerCountedState = 5

    /// - Parameters:
    ///   - most: the maximum number of states, for a program with this many threads and objects.
    ///   - isGoal: whether the subject's present state is one that must be reached.
    package init(
        _ subject: any ShownSubject, _ rules: Rules, most: (_ threads: Int, _ objects: Int) -> Int,
        isGoal: @escaping () -> Bool = { false }
    ) throws(TooLarge) {
        threads = subject.threadNames
        objects = subject.shownObjects
        let limit = most(threads.count, objects.count - 1)
        let walk = StateWalk(
            StateSpace(subject, rules, isReduced: false, exchanges: false), isDepthFirst: false)
        let camera = StateCamera(subject, isGoal)
        var ends: [Int: ShownState] = [:]
        let reachEnd = { (number: Int) in ends[number] = camera.ending }
        walk.begin(reachEnd)
        repeat {
            while let number = walk.next() {
                walk.expand(number, reachEnd)
                if walk.states.count > limit || walk.space.moveCount > limit * Self.movesPerState {
                    throw Self.tooLarge(walk, limit)
                }
            }
        } while subject.mayPassTimeBesideOthers && walk.passTime(rules.fairness, reachEnd)
        hasSchedules = !walk.passesTimeBesideOthers
        cycles = walk.hasCycle() ? walk.statesOfFairCycles(rules.fairness) : []
        mayHideRaces = subject.machine.hasCells && walk.space.hasFoundUnordered
        for number in 0..<walk.states.count {
            if let end = ends[number] {
                states.append(end)
                moves.append([])
                continue
            }
            let leaving = walk.moves(from: number)
            states.append(camera.present)
            moves.append(leaving.map { camera.move($0.move, to: $0.target) })
        }
    }

    private static func tooLarge(_ walk: StateWalk, _ limit: Int) -> TooLarge {
        while walk.states.count < mostCounted, walk.space.moveCount < mostCounted * movesPerCountedState,
            walk.memoryAhead < mostMemory, let number = walk.next()
        {
            walk.expand(number) { _ in }
        }
        return TooLarge(
            count: min(walk.states.count, mostCounted), moves: walk.space.moveCount,
            isMinimum: walk.openCount > 0, limit: limit)
    }

    package var moveCount: Int { moves.reduce(0) { $0 + $1.count } }

    /// By state: the smallest number of moves to one of the goals. Nil: no goal can be reached.
    package func distances(to goals: [Int]) -> [Int?] {
        var sources = [[Int]](repeating: [], count: states.count)
        for (source, leaving) in moves.enumerated() {
            for move in leaving { sources[move.target].append(source) }
        }
        var distances = [Int?](repeating: nil, count: states.count)
        for goal in goals { distances[goal] = 0 }
        var open = goals
        var next = 0
        while next < open.count {
            let state = open[next]
            next += 1
            for source in sources[state] where distances[source] == nil {
                distances[source] = distances[state].map { $0 + 1 }
                open.append(source)
            }
        }
        return distances
    }
}
