/// Cycles of states that a fair scheduler can follow forever, as sets of states: a walk through all states and all moves of such a
/// set is fair.
struct FairCycles {
    typealias Edge = StateSpaceGraph.Edge

    private let graph: StateSpaceGraph
    private let followsBranches: Bool
    private let isAllowed: (Edge) -> Bool

    /// - Parameters:
    ///   - followsBranches: whether steps with alternatives can be part of the cycles, although another one could leave them.
    ///   - isAllowed: whether a move can.
    init(_ graph: StateSpaceGraph, followsBranches: Bool = false, _ isAllowed: @escaping (Edge) -> Bool) {
        self.graph = graph
        self.followsBranches = followsBranches
        self.isAllowed = isAllowed
    }

    /// The largest sets among these states.
    func components(among states: [Int]) -> [[Int]] {
        var result: [[Int]] = []
        var open = [states]
        while let some = open.popLast() {
            for component in strongComponents(of: some) {
                let members = Set(component)
                let unserved = unservedThreads(members)
                if unserved.isEmpty {
                    if letsTimePass(members) { result.append(component) }
                } else if !graph.rules.isWeaklyFair {
                    // States in which such a thread can step are on no fair cycle.
                    let rest = component.filter { state in
                        !graph.edges[state].contains { unserved.contains($0.thread) && !$0.isSpurious }
                    }
                    if !rest.isEmpty { open.append(rest) }
                }
            }
        }
        return result
    }

    /// The threads that do within these states what they loop for.
    func progressing(in component: [Int]) -> Set<Int> {
        let members = Set(component)
        return Set(
            component.flatMap { graph.edges[$0] }.filter { $0.isProgress && isInside($0, members) }.map(\.thread))
    }

    private func isInside(_ edge: Edge, _ members: Set<Int>) -> Bool {
        edge.target >= 0 && (followsBranches ? !edge.isSpurious : !edge.isBranch) && isAllowed(edge)
            && members.contains(edge.target)
    }

    /// The threads that a fair scheduler would let step, and that do not step within these states.
    private func unservedThreads(_ members: Set<Int>) -> Set<Int> {
        var able: [Int: Int] = [:]
        var stepping: Set<Int> = []
        for state in members {
            for thread in Set(graph.edges[state].filter { !$0.isTime && !$0.isSpurious }.map(\.thread)) {
                able[thread, default: 0] += 1
            }
            for edge in graph.edges[state] where !edge.isTime && isInside(edge, members) {
                stepping.insert(edge.thread)
            }
        }
        let needed = able.filter { !graph.rules.isWeaklyFair || $0.value == members.count }
        return Set(needed.keys).subtracting(stepping)
    }

    /// Whether no thread waits for time all along while no time passes. That is the fairness of the clock.
    private func letsTimePass(_ members: Set<Int>) -> Bool {
        // The cycles that are looked for may be those beside which time is to pass.
        if !isAllowed(Edge(target: 0, thread: -1)) { return true }
        var waiting = Set(graph.program.codes.indices)
        for state in members {
            let world = graph.world(state)
            waiting = waiting.filter { world.waitsForTime($0) }
            for edge in graph.edges[state] where isInside(edge, members) {
                if edge.isTime { return true }
                waiting.remove(edge.thread)
            }
        }
        return waiting.isEmpty
    }

    // MARK: - Components

    /// The strongly connected sets that contain a cycle (Tarjan 1972).
    private func strongComponents(of states: [Int]) -> [[Int]] {
        let members = Set(states)
        var order: [Int: Int] = [:]
        var low: [Int: Int] = [:]
        var stack: [Int] = []
        var isOpen: Set<Int> = []
        var result: [[Int]] = []
        var path: [(state: Int, targets: [Int], next: Int)] = []
        func enter(_ state: Int) {
            order[state] = order.count
            low[state] = order[state]
            stack.append(state)
            isOpen.insert(state)
            path.append((state, graph.edges[state].filter { isInside($0, members) }.map(\.target), 0))
        }
        for root in states where order[root] == nil {
            enter(root)
            while let (state, targets, next) = path.last {
                if next < targets.count {
                    path[path.count - 1].next += 1
                    let target = targets[next]
                    if order[target] == nil {
                        enter(target)
                    } else if isOpen.contains(target) {
                        low[state] = min(low[state]!, order[target]!)
                    }
                    continue
                }
                path.removeLast()
                if let parent = path.last?.state { low[parent] = min(low[parent]!, low[state]!) }
                guard low[state] == order[state] else { continue }
                var component: [Int] = []
                repeat {
                    component.append(stack.removeLast())
                    isOpen.remove(component[component.count - 1])
                } while component[component.count - 1] != state
                if component.count > 1 || targets.contains(state) { result.append(component) }
            }
        }
        return result
    }
}
