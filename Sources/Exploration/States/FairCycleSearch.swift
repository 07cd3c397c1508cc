import Machine
import Trace

/// Looks in a graph of states for a cycle that a fair scheduler can follow forever. With strong fairness, every thread
/// that can step somewhere in the cycle, now or when time has passed, steps in it; with weak fairness, every thread
/// that can step in all of its states. No step in the cycle has alternatives that could leave it, except for
/// `Goal.waiting`.
///
/// Works on strongly connected components. With strong fairness, if a thread can step in some states of a component but
/// never steps within it, these states are removed and the rest is examined again (Emerson and Lei 1987). With weak
/// fairness, the rest would be no fairer.
struct FairCycleSearch: ~Copyable {
    /// What is wrong with the cycle that is sought.
    enum Goal {
        /// No thread makes progress in it.
        case noProgress
        /// This thread should make progress and does not, though others do. All that must happen has happened.
        case noProgressOf(Int)
        /// Something that must happen has not happened.
        case unfulfilled
        /// This race has happened. Each thread that should make progress does, and all that must happen has happened.
        case race(Int)
        /// Nothing is wrong, but this thread waits for a deadline all the time, so time can pass in the cycle's states
        /// (`ClockWatch`).
        case waiting(Int)

        /// Whether the edge can be part of a sought cycle.
        func allows(_ edge: StateGraph.Edge) -> Bool {
            switch self {
            case .noProgress: !edge.isProgress
            case .noProgressOf(let thread): !(edge.isProgress && edge.thread == thread)
            case .unfulfilled, .race: true
            case .waiting(let thread): edge.thread != thread
            }
        }

        /// Whether a sought cycle may contain steps with alternatives. Time also passes beside a thread that chooses
        /// again and again, but a thread that may choose to leave a cycle is not caught in it.
        var allowsBranches: Bool { if case .waiting = self { true } else { false } }

        /// Whether the edge shows that fairness may demand a step of its thread.
        func demands(_ edge: StateGraph.Edge) -> Bool {
            if case .waiting = self { edge.isStep } else { edge.isAbility }
        }

        /// Whether the state that these edges leave can be part of a sought cycle.
        func allows(_ edges: UnsafeBufferPointer<StateGraph.Edge>) -> Bool {
            switch self {
            case .noProgress: true
            case .noProgressOf(let thread):
                edges.contains { $0.isExpectation && $0.thread == thread } && !edges.contains { $0.isUnfulfilled }
            case .unfulfilled: edges.contains { $0.isUnfulfilled }
            case .race(let number): edges.contains { $0.race == number } && !edges.contains { $0.isUnfulfilled }
            case .waiting(let thread): edges.contains { $0.isDeadline && $0.thread == thread }
            }
        }
    }

    private let stateCount: Int
    private let threadCount: Int
    private let fairness: Rules.Fairness
    private let goal: Goal
    /// By state: the number of the set of states in which it is being examined. 0: removed.
    private let sets: OwnedBuffer<UInt32>
    private var lastSet: UInt32 = 1

    init(stateCount: Int, threads: Int, _ fairness: Rules.Fairness, _ goal: Goal) {
        self.stateCount = stateCount
        threadCount = threads
        self.fairness = fairness
        self.goal = goal
        sets = OwnedBuffer(repeating: 0, count: stateCount)
    }

    /// A path or a closed walk: states, each with the edge by which it is left.
    typealias Walk = [(state: Int, edge: StateGraph.Edge)]

    /// Visits sought cycles, one in each component.
    ///
    /// - Parameter visit: returns whether to continue.
    mutating func forEachCycle(in graph: borrowing StateGraph, _ visit: (Walk) -> Bool) {
        forEachComponent(in: graph) { component, walk in visit(walk(component.min()!)) }
    }

    /// The first sought cycle that is found.
    mutating func cycle(in graph: borrowing StateGraph) -> Walk? {
        var result: Walk?
        forEachCycle(in: graph) { walk in
            result = walk
            return false
        }
        return result
    }

    /// A sought cycle that begins at this state. Nil: the state is in none.
    mutating func cycle(from state: Int, in graph: borrowing StateGraph) -> Walk? {
        var result: Walk?
        forEachComponent(in: graph) { component, walk in
            if component.contains(state) { result = walk(state) }
            return result == nil
        }
        return result
    }

    /// All states that are in sought cycles.
    mutating func states(in graph: borrowing StateGraph) -> [Int] {
        var states: [Int] = []
        forEachComponent(in: graph) { component, _ in
            states += component
            return true
        }
        return states
    }

    /// Visits the components all of whose states are in sought cycles, with a function that makes such a cycle from a
    /// given state.
    ///
    /// - Parameter visit: returns whether to continue.
    private mutating func forEachComponent(
        in graph: borrowing StateGraph, _ visit: ([Int], (Int) -> Walk) -> Bool
    ) {
        let candidates = (0..<stateCount).filter { goal.allows(graph.edges(of: $0)) }
        for state in candidates { sets[state] = 1 }
        var open: [(set: UInt32, states: [Int])] = [(1, candidates)]
        while let (set, states) = open.popLast() {
            for component in components(of: states, set, graph) {
                lastSet += 1
                for state in component { sets[state] = lastSet }
                let threads = judge(component, lastSet, graph)
                if threads.unserved.isEmpty {
                    // If the required threads cannot make progress, every cycle here has another, more severe fault.
                    if !threads.canProgress { continue }
                    guard visit(component, { self.walk(component, from: $0, lastSet, threads, graph) }) else { return }
                    continue
                }
                lastSet += 1
                let rest =
                    fairness == .strong ? component.filter { !canStep(threads.unserved, in: $0, graph) } : []
                for state in component { sets[state] = 0 }
                for state in rest { sets[state] = lastSet }
                if !rest.isEmpty { open.append((lastSet, rest)) }
            }
        }
    }

    /// What threads do in a component, and what fairness and the goal require of them.
    private struct Threads {
        /// The threads that step within the component.
        var stepping: Set<Int> = []
        /// The threads that fairness requires to step, and that do not.
        var unserved: Set<Int> = []
        /// The threads that need not step, because they cannot in some state.
        var excused: Set<Int> = []
        /// The threads that should make progress in the walk; `canProgress`: whether those that the goal requires can,
        /// within the component.
        var progressing: Set<Int> = []
        var canProgress = true
    }

    /// Determines which threads step within the component, and which have to.
    private func judge(_ component: [Int], _ set: UInt32, _ graph: borrowing StateGraph) -> Threads {
        /// By thread: the number of states in which it can step, the last of these, and whether it steps within the
        /// component.
        var able = Array(repeating: (count: 0, last: -1, steps: false), count: threadCount)
        for state in component {
            for edge in graph.edges(of: state) where goal.demands(edge) {
                if able[edge.thread].last != state {
                    able[edge.thread].last = state
                    able[edge.thread].count += 1
                }
                if isInside(edge, set) { able[edge.thread].steps = true }
            }
        }
        var threads = Threads()
        for thread in able.indices where able[thread].count > 0 {
            if able[thread].steps {
                threads.stepping.insert(thread)
            } else if fairness == .strong || able[thread].count == component.count {
                threads.unserved.insert(thread)
            } else {
                threads.excused.insert(thread)
            }
        }
        demandProgress(&threads, component, set, graph)
        return threads
    }

    /// Determines which threads should make progress in the component, for goals that require it.
    private func demandProgress(
        _ threads: inout Threads, _ component: [Int], _ set: UInt32, _ graph: borrowing StateGraph
    ) {
        switch goal {
        case .noProgress, .unfulfilled, .waiting: return
        case .noProgressOf, .race: break
        }
        var done: Set<Int> = []
        for state in component {
            for edge in graph.edges(of: state) {
                if edge.isExpectation { threads.progressing.insert(edge.thread) }
                if edge.isProgress && isInside(edge, set) { done.insert(edge.thread) }
            }
        }
        if case .race = goal {
            threads.canProgress = !threads.progressing.isEmpty && threads.progressing.isSubset(of: done)
        } else {
            // The walk contains the progress of all threads that can make any, so that only the others starve.
            threads.progressing = done
            threads.canProgress = !done.isEmpty
        }
    }

    /// Whether the edge can be part of a sought cycle within the set.
    private func isInside(_ edge: StateGraph.Edge, _ set: UInt32) -> Bool {
        edge.isMove && (!edge.isBranch || goal.allowsBranches) && goal.allows(edge) && sets[Int(edge.target)] == set
    }

    /// Whether fairness may demand a step of one of the threads in the state.
    private func canStep(_ threads: Set<Int>, in state: Int, _ graph: borrowing StateGraph) -> Bool {
        graph.edges(of: state).contains { goal.demands($0) && threads.contains($0.thread) }
    }

    // MARK: - Components

    /// The strongly connected components with a cycle in a set of states (Tarjan 1972, without recursion).
    private func components(of states: [Int], _ set: UInt32, _ graph: borrowing StateGraph) -> [[Int]] {
        var result: [[Int]] = []
        let order = OwnedBuffer<UInt32>(repeating: 0, count: stateCount)
        let low = OwnedBuffer<UInt32>(repeating: 0, count: stateCount)
        let isOpen = OwnedBuffer<Bool>(repeating: false, count: stateCount)
        var next: UInt32 = 1
        var stack: [Int] = []
        var path: [(state: Int, edge: Int)] = []
        func enter(_ state: Int) {
            order[state] = next
            low[state] = next
            next += 1
            isOpen[state] = true
            stack.append(state)
            path.append((state, 0))
        }
        for root in states where order[root] == 0 {
            enter(root)
            while let (state, place) = path.last {
                let edges = graph.edges(of: state)
                if place < edges.count {
                    path[path.count - 1].edge += 1
                    let edge = edges[place]
                    if !isInside(edge, set) { continue }
                    let target = Int(edge.target)
                    if order[target] == 0 {
                        enter(target)
                    } else if isOpen[target] {
                        low[state] = min(low[state], order[target])
                    }
                    continue
                }
                path.removeLast()
                if let parent = path.last?.state { low[parent] = min(low[parent], low[state]) }
                guard low[state] == order[state] else { continue }
                var component: [Int] = []
                repeat {
                    component.append(stack.removeLast())
                    isOpen[component[component.count - 1]] = false
                } while component[component.count - 1] != state
                let hasCycle = component.count > 1 || edges.contains { isInside($0, set) && Int($0.target) == state }
                if hasCycle { result.append(component) }
            }
        }
        return result
    }

    // MARK: - The walk

    /// A closed walk through the component in which the threads of `stepping` step, those of `progressing` make
    /// progress, and each of `excused` cannot step in some state.
    private func walk(
        _ component: [Int], from start: Int, _ set: UInt32, _ threads: Threads, _ graph: borrowing StateGraph
    ) -> Walk {
        var result: Walk = []
        var here = start
        func extend(_ part: Walk) {
            result += part
            here = Int(result[result.count - 1].edge.target)
        }
        for thread in threads.stepping.sorted() where !result.contains(where: { $0.edge.thread == thread }) {
            extend(path(from: here, set, graph) { $0.thread == thread })
        }
        for thread in threads.progressing.sorted()
        where !result.contains(where: { $0.edge.thread == thread && $0.edge.isProgress }) {
            extend(path(from: here, set, graph) { $0.thread == thread && $0.isProgress })
        }
        for thread in threads.excused.sorted() {
            let resting = Set(component.filter { !canStep([thread], in: $0, graph) })
            if result.contains(where: { resting.contains($0.state) }) { continue }
            extend(path(from: here, set, graph) { resting.contains(Int($0.target)) })
        }
        if here != start || result.isEmpty {
            extend(path(from: here, set, graph) { Int($0.target) == start })
        }
        return result
    }

    /// The shortest path whose last edge satisfies the predicate. There must be one.
    private func path(
        from start: Int, _ set: UInt32, _ graph: borrowing StateGraph, to isLast: (StateGraph.Edge) -> Bool
    ) -> Walk {
        var origin: [Int: Walk.Element] = [:]
        var open = [start]
        var place = 0
        func route(to target: Int) -> Walk {
            var steps: Walk = []
            var here = target
            while here != start, let step = origin[here] {
                steps.append(step)
                here = step.state
            }
            return steps.reversed()
        }
        while place < open.count {
            let state = open[place]
            place += 1
            for edge in graph.edges(of: state) where isInside(edge, set) {
                if isLast(edge) { return route(to: state) + [(state, edge)] }
                let target = Int(edge.target)
                if target != start && origin[target] == nil {
                    origin[target] = (state, edge)
                    open.append(target)
                }
            }
        }
        preconditionFailure("a component is not strongly connected")
    }
}
