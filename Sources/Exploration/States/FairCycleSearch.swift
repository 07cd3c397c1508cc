import Machine

/// Looks in a graph of states for a cycle that a fair scheduler can follow forever: every thread that can step somewhere in
/// it does, or will be able to when time passes. No step in it has alternatives, because another one could leave it.
///
/// Works on strongly connected components. If a thread can step somewhere in a component, but never does within it, then the
/// states in which it can are removed, and what is left is examined again (Emerson and Lei 1987).
struct FairCycleSearch: ~Copyable {
    private let stateCount: Int
    /// By state: the number of the set that is examined in which it is. 0: removed.
    private let sets: OwnedBuffer<UInt32>
    private var lastSet: UInt32 = 1

    init(stateCount: Int) {
        self.stateCount = stateCount
        sets = OwnedBuffer(repeating: 1, count: stateCount)
    }

    /// The first such cycle that is found.
    mutating func cycle(in graph: borrowing StateGraph) -> [(state: Int, edge: StateGraph.Edge)]? {
        var open: [(set: UInt32, states: [Int])] = [(1, Array(0..<stateCount))]
        while let (set, states) = open.popLast() {
            for component in components(of: states, set, graph) {
                lastSet += 1
                for state in component { sets[state] = lastSet }
                let judged = judge(component, lastSet, graph)
                if judged.unserved.isEmpty { return walk(component, lastSet, judged.threads, graph) }
                lastSet += 1
                let rest = component.filter { !canStep(judged.unserved, in: $0, graph) }
                for state in component { sets[state] = 0 }
                for state in rest { sets[state] = lastSet }
                if !rest.isEmpty { open.append((lastSet, rest)) }
            }
        }
        return nil
    }

    /// The threads that step within the component, and those that could, and do not.
    private func judge(
        _ component: [Int], _ set: UInt32, _ graph: borrowing StateGraph
    ) -> (threads: Set<Int>, unserved: Set<Int>) {
        var stepping: Set<Int> = []
        var able: Set<Int> = []
        for state in component {
            for edge in graph.edges(of: state) {
                able.insert(edge.thread)
                if isInside(edge, set) { stepping.insert(edge.thread) }
            }
        }
        return (stepping, able.subtracting(stepping))
    }

    private func isInside(_ edge: StateGraph.Edge, _ set: UInt32) -> Bool {
        edge.isMove && !edge.isBranch && sets[Int(edge.target)] == set
    }

    private func canStep(_ threads: Set<Int>, in state: Int, _ graph: borrowing StateGraph) -> Bool {
        for edge in graph.edges(of: state) where threads.contains(edge.thread) { return true }
        return false
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

    /// A closed walk through the component in which each of the threads steps.
    private func walk(
        _ component: [Int], _ set: UInt32, _ threads: Set<Int>, _ graph: borrowing StateGraph
    ) -> [(state: Int, edge: StateGraph.Edge)] {
        let start = component.min()!
        var walk: [(state: Int, edge: StateGraph.Edge)] = []
        var here = start
        for thread in threads.sorted() where !walk.contains(where: { $0.edge.thread == thread }) {
            walk += path(from: here, set, graph) { _, edge in edge.thread == thread }
            here = Int(walk[walk.count - 1].edge.target)
        }
        if here != start { walk += path(from: here, set, graph) { _, edge in Int(edge.target) == start } }
        return walk
    }

    /// The shortest path whose last edge satisfies the condition. There must be one.
    private func path(
        from start: Int, _ set: UInt32, _ graph: borrowing StateGraph, to isLast: (Int, StateGraph.Edge) -> Bool
    ) -> [(state: Int, edge: StateGraph.Edge)] {
        var origin: [Int: (state: Int, edge: StateGraph.Edge)] = [:]
        var open = [start]
        var place = 0
        func path(to state: Int) -> [(state: Int, edge: StateGraph.Edge)] {
            var path: [(state: Int, edge: StateGraph.Edge)] = []
            var state = state
            while state != start, let step = origin[state] {
                path.append(step)
                state = step.state
            }
            return path.reversed()
        }
        while place < open.count {
            let state = open[place]
            place += 1
            for edge in graph.edges(of: state) where isInside(edge, set) {
                if isLast(state, edge) { return path(to: state) + [(state, edge)] }
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
