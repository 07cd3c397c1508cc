import Trace

/// Which locks were taken while which other locks were held, as edges between locks, and the cycles of these edges that
/// may be deadlocks.
struct LockOrderGraph {
    /// The edges, by the lock that was held and the lock that was taken.
    private var edges: [ObjectID: [ObjectID: [LockOrderEdge]]] = [:]
    private var count = 0

    /// The maximum number of edges. A thread that holds very many locks makes an edge from each of them to every
    /// further one.
    private static let mostEdges = 1 << 16
    /// The maximum number of different edges that are kept from one lock to another.
    private static let mostVariants = 16
    /// The maximum number of edges that a search for cycles visits. Each visit of the same edge counts.
    private static let mostVisits = 50_000
    private static let mostCycles = 10
    private static let longestCycle = 256

    /// Whether no further edges are kept.
    var isFull: Bool { count >= Self.mostEdges }

    mutating func add(_ edge: LockOrderEdge) {
        guard !isFull else { return }
        let known = edges[edge.from.object]?[edge.to.object] ?? []
        guard known.count < Self.mostVariants, !known.contains(where: { $0.isLike(edge) }) else { return }
        edges[edge.from.object, default: [:]][edge.to.object, default: []].append(edge)
        count += 1
    }

    /// All edges, sorted by the two locks.
    var all: [LockOrderEdge] {
        edges.sorted { $0.key < $1.key }.flatMap { $0.value.sorted { $0.key < $1.key }.flatMap(\.value) }
    }

    /// The cycles in which each thread could wait for the next. Of several cycles of the same locks, one is reported.
    ///
    /// - Parameter isPossible: a final check on a cycle.
    func cycles(where isPossible: @escaping ([LockOrderEdge]) -> Bool) -> [[LockOrderEdge]] {
        var search = Search(edges: edges, isPossible: isPossible)
        for start in edges.keys.sorted() { search.extend([], from: start, to: start) }
        return search.found
    }

    private struct Search {
        let edges: [ObjectID: [ObjectID: [LockOrderEdge]]]
        let isPossible: ([LockOrderEdge]) -> Bool
        var found: [[LockOrderEdge]] = []
        private var known: Set<Set<ObjectID>> = []
        private var visits = 0

        init(edges: [ObjectID: [ObjectID: [LockOrderEdge]]], isPossible: @escaping ([LockOrderEdge]) -> Bool) {
            self.edges = edges
            self.isPossible = isPossible
        }

        /// Extends a path of edges to cycles, depth first.
        ///
        /// - Parameter start: the lock at which the path began. It has the lowest number in the cycle, so that each
        ///   cycle is found only once.
        mutating func extend(_ path: [LockOrderEdge], from lock: ObjectID, to start: ObjectID) {
            guard path.count < LockOrderGraph.longestCycle else { return }
            for (next, variants) in (edges[lock] ?? [:]).sorted(by: { $0.key < $1.key }) where next >= start {
                for edge in variants where !isExhausted {
                    visits += 1
                    guard path.last?.isBlocked(by: edge) ?? true, path.allSatisfy(edge.canMeet) else { continue }
                    if next == start { close(path + [edge]) } else { extend(path + [edge], from: next, to: start) }
                }
            }
        }

        private var isExhausted: Bool {
            found.count >= LockOrderGraph.mostCycles || visits >= LockOrderGraph.mostVisits
        }

        private mutating func close(_ cycle: [LockOrderEdge]) {
            let locks = Set(cycle.map(\.from.object))
            guard !known.contains(locks), let last = cycle.last, last.isBlocked(by: cycle[0]), isPossible(cycle)
            else { return }
            known.insert(locks)
            found.append(cycle)
        }
    }
}
