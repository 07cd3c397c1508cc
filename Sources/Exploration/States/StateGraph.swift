import Machine

/// The moves between the states of a table, by state.
struct StateGraph: ~Copyable {
    /// One move, as seen from the state that it leaves; or something that is true in the state.
    struct Edge: BitwiseCopyable {
        var target: UInt32
        /// The thread that steps, and what is special about the move.
        private let label: UInt32

        private init(_ target: Int, _ thread: Int, _ marks: UInt32) {
            self.target = UInt32(truncatingIfNeeded: target)
            label = UInt32(thread) | marks
        }

        init(to target: Int, by thread: Int, isBranch: Bool, isProgress: Bool) {
            self.init(target, thread, (isBranch ? Self.branch : 0) | (isProgress ? Self.progress : 0))
        }

        /// No move: the thread will be able to step when time has passed.
        static func deadline(of thread: Int) -> Edge { Edge(0, thread, deadline) }

        /// No move: the thread is to make progress again and again.
        static func expectation(of thread: Int) -> Edge { Edge(0, thread, expectation) }

        /// No move: something that must happen has not happened yet.
        static let unfulfilled = Edge(0, 0xffff, expectation)

        private static let branch: UInt32 = 1 << 16
        private static let progress: UInt32 = 1 << 17
        private static let deadline: UInt32 = 1 << 18
        private static let expectation: UInt32 = 1 << 19

        var thread: Int { Int(label & 0xffff) }
        /// Whether the step has other alternatives, which could lead elsewhere.
        var isBranch: Bool { label & Self.branch != 0 }
        /// Whether the thread has done in the step what it loops for.
        var isProgress: Bool { label & Self.progress != 0 }
        var isMove: Bool { label & (Self.deadline | Self.expectation) == 0 }
        /// Whether it shows that the thread can step, now or when time has passed.
        var isAbility: Bool { label & Self.expectation == 0 }
        var isExpectation: Bool { label & Self.expectation != 0 && !isUnfulfilled }
        var isUnfulfilled: Bool { label == Self.expectation | 0xffff }
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
        edges.base[count] = edge
        count += 1
        lengths.base[source] += 1
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
        UnsafeBufferPointer(start: edges.base + starts.base[state], count: Int(lengths.base[state]))
    }

    /// Whether some sequence of moves comes back to where it began.
    func hasCycle(among states: Int) -> Bool {
        // Removes states without predecessors until none is left (Kahn 1962).
        let degrees = OwnedBuffer<UInt32>(repeating: 0, count: states)
        for edge in UnsafeBufferPointer(start: edges.base, count: count) where edge.isMove {
            degrees.base[Int(edge.target)] &+= 1
        }
        // In the order in which they were found, mostly, so that memory is read in order.
        let open = OwnedBuffer<UInt32>(capacity: states)
        var found = 0
        for state in 0..<states where degrees.base[state] == 0 {
            open.base[found] = UInt32(truncatingIfNeeded: state)
            found += 1
        }
        var removed = 0
        while removed < found {
            let state = Int(open.base[removed])
            removed += 1
            for edge in edges(of: state) where edge.isMove {
                let target = Int(edge.target)
                degrees.base[target] &-= 1
                if degrees.base[target] == 0 {
                    open.base[found] = edge.target
                    found += 1
                }
            }
        }
        return removed < states
    }

    /// In bytes.
    var memory: Int { edges.capacity * MemoryLayout<Edge>.stride + stateCount * 12 }
}
