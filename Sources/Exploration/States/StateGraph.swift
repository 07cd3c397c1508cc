import Machine

/// The moves between the states of a table, by state.
struct StateGraph: ~Copyable {
    /// One move, as seen from the state that it leaves.
    struct Edge: BitwiseCopyable {
        var target: UInt32
        /// The thread that steps, and what is special about the move.
        var label: UInt32

        init(to target: Int, by thread: Int, isBranch: Bool) {
            self.target = UInt32(truncatingIfNeeded: target)
            label = UInt32(thread) | (isBranch ? Self.branch : 0)
        }

        private init(deadlineOf thread: Int) {
            target = 0
            label = UInt32(thread) | Self.deadline
        }

        /// No move: the thread will be able to step when time has passed.
        static func deadline(of thread: Int) -> Edge { Edge(deadlineOf: thread) }

        private static let branch: UInt32 = 1 << 16
        private static let deadline: UInt32 = 1 << 17

        var thread: Int { Int(label & 0xffff) }
        /// Whether the step has other alternatives, which could lead elsewhere.
        var isBranch: Bool { label & Self.branch != 0 }
        var isMove: Bool { label & Self.deadline == 0 }
    }

    private var edges = OwnedBuffer<Edge>(capacity: 1 << 10)
    private var count = 0
    /// By state: where its edges begin, and how many there are.
    private var starts = OwnedBuffer<Int>(capacity: 1 << 9)
    private var lengths = OwnedBuffer<UInt32>(capacity: 1 << 9)
    private var stateCount = 0
    private var source = 0

    /// The edges that are added next leave this state.
    mutating func begin(_ state: Int) {
        growTo(state + 1)
        source = state
        starts[state] = count
    }

    mutating func add(_ edge: Edge) {
        edges.reserve(count + 1, keeping: count)
        edges[count] = edge
        count += 1
        lengths[source] += 1
    }

    /// Makes room for states without edges.
    mutating func growTo(_ states: Int) {
        guard states > stateCount else { return }
        starts.reserve(states, keeping: stateCount)
        lengths.reserve(states, keeping: stateCount)
        for state in stateCount..<states {
            starts[state] = 0
            lengths[state] = 0
        }
        stateCount = states
    }

    func edges(of state: Int) -> UnsafeBufferPointer<Edge> {
        UnsafeBufferPointer(start: edges.base + starts[state], count: Int(lengths[state]))
    }

    /// Whether some sequence of moves comes back to where it began.
    func hasCycle(among states: Int) -> Bool {
        // Removes states without predecessors until none is left (Kahn 1962).
        let degrees = OwnedBuffer<UInt32>(repeating: 0, count: states)
        for state in 0..<states { for edge in edges(of: state) where edge.isMove { degrees[Int(edge.target)] += 1 } }
        var open = (0..<states).filter { degrees[$0] == 0 }
        var removed = 0
        while let state = open.popLast() {
            removed += 1
            for edge in edges(of: state) where edge.isMove {
                let target = Int(edge.target)
                degrees[target] -= 1
                if degrees[target] == 0 { open.append(target) }
            }
        }
        return removed < states
    }

    /// In bytes.
    var memory: Int { edges.capacity * MemoryLayout<Edge>.stride + stateCount * 12 }
}
