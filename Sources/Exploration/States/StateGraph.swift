import Machine

/// The moves between the states of a table, stored by the state that they leave.
struct StateGraph: ~Copyable {
    /// One move that leaves a state, or a fact about the state.
    struct Edge: BitwiseCopyable {
        var target: UInt32
        /// The thread that steps in the lower 16 bits, and flags above them.
        private let label: UInt32

        private init(_ target: Int, _ thread: Int, _ flags: UInt32) {
            self.target = UInt32(truncatingIfNeeded: target)
            label = UInt32(thread) | flags
        }

        /// - Parameter isDue: whether fairness demands this step of the thread.
        init(
            to target: Int, by thread: Int, isBranch: Bool, isProgress: Bool, isDue: Bool = true, hasWays: Bool = false
        ) {
            let flags = (isBranch ? Self.branch : 0) | (isProgress ? Self.progress : 0) | (isDue ? 0 : Self.notDue)
            self.init(target, thread, flags | (hasWays ? Self.ways : 0))
        }

        /// A move in which time passes.
        static func time(to target: Int) -> Edge { Edge(target, clock, 0) }

        /// A fact: the thread will be able to step when time has passed.
        static func deadline(of thread: Int) -> Edge { Edge(0, thread, deadline) }

        /// A fact: the thread should make progress again and again.
        static func expectation(of thread: Int) -> Edge { Edge(0, thread, expectation) }

        /// A fact: something that must happen has not happened yet.
        static let unfulfilled = Edge(0, noThread, expectation)

        /// A fact: the race with this number has happened.
        static func race(_ number: Int) -> Edge { Edge(number, noThread, race) }

        /// Stands for the thread of a move in which time passes.
        private static let clock = 0xfffe
        /// Stands for the thread of a fact that is not about a thread.
        private static let noThread = 0xffff
        private static let branch: UInt32 = 1 << 16
        private static let progress: UInt32 = 1 << 17
        private static let deadline: UInt32 = 1 << 18
        private static let expectation: UInt32 = 1 << 19
        private static let notDue: UInt32 = 1 << 20
        private static let race: UInt32 = 1 << 21
        private static let ways: UInt32 = 1 << 22

        /// The thread that steps, or that the fact is about.
        var thread: Int { Int(label & 0xffff) }
        /// Whether the step has several alternatives. The edge does not say which of them it is.
        var hasWays: Bool { label & Self.ways != 0 }
        /// Whether the step has alternatives that a fair scheduler also takes: see `MachineState.isFork`.
        var isBranch: Bool { label & Self.branch != 0 }
        /// Whether the thread has done, in the step, what it loops for.
        var isProgress: Bool { label & Self.progress != 0 }
        /// Whether the edge is a move, not a fact.
        var isMove: Bool { label & (Self.deadline | Self.expectation | Self.race) == 0 }
        /// The number of the race that has happened. Nil: the edge is not that fact.
        var race: Int? { label & Self.race != 0 ? Int(target) : nil }
        /// Whether time passes in this move, and no thread steps.
        var isTime: Bool { label & 0xffff == Self.clock && isMove }
        var isDeadline: Bool { label & Self.deadline != 0 }
        /// Whether the edge shows that the thread can step now, and that fairness demands it.
        var isStep: Bool { isMove && !isTime && label & Self.notDue == 0 }
        /// Whether the edge shows that the thread can step now, or when time has passed.
        var isAbility: Bool { isStep || isDeadline }
        var isExpectation: Bool { label & Self.expectation != 0 && !isUnfulfilled }
        var isUnfulfilled: Bool { label == Self.expectation | UInt32(Self.noThread) }
    }

    /// The range of a state's edges.
    struct Extent: BitwiseCopyable {
        /// The number of edges in the lowest `countBits` bits, and the index of the first one above them.
        private let word: UInt64

        @inline(__always) private static var countBits: Int { 24 }

        init(start: Int, count: Int) {
            precondition(count < 1 << Self.countBits, "a state has too many moves")
            word = UInt64(start) << Self.countBits | UInt64(count)
        }

        var start: Int { Int(word >> Self.countBits) }
        var count: Int { Int(word & (1 << Self.countBits - 1)) }
    }

    private var edges = SegmentedBuffer<Edge>()
    /// The index of the next edge.
    private var end = 0
    /// By state: the range of its edges.
    private var extents = SegmentedBuffer<Extent>()
    private var stateCount = 0
    /// The state to which edges are being added; the index of its first edge, and their number.
    private var source = 0
    private var start = 0
    private var count = 0

    /// Begins the edges of this state.
    mutating func begin(_ state: Int) {
        growTo(state + 1)
        (source, start, count) = (state, end, 0)
    }

    /// Begins to add further edges to those of this state.
    mutating func reopen(_ state: Int) {
        let known = Array(edges(of: state))
        begin(state)
        for edge in known { add(edge) }
    }

    mutating func add(_ edge: Edge) {
        edges.reserve(end + 1)
        if count > 0 && end == SegmentedBuffer<Edge>.end(ofSegmentWith: end - 1) { moveToNextSegment() }
        edges.address(of: end).pointee = edge
        end += 1
        count += 1
        extents.address(of: source).pointee = Extent(start: start, count: count)
    }

    /// Keeps the edges of a state in one segment.
    private mutating func moveToNextSegment() {
        edges.reserve(end + count + 1)
        edges.address(of: end).update(from: edges.address(of: start), count: count)
        start = end
        end += count
    }

    /// Makes room for states, at first without edges.
    mutating func growTo(_ states: Int) {
        guard states > stateCount else { return }
        extents.reserve(states)
        for state in stateCount..<states { extents.address(of: state).pointee = Extent(start: 0, count: 0) }
        stateCount = states
    }

    @inline(__always) func edges(of state: Int) -> UnsafeBufferPointer<Edge> {
        let extent = extents.address(of: state).pointee
        return UnsafeBufferPointer(start: edges.address(of: extent.start), count: extent.count)
    }

    /// Whether some sequence of moves returns to its first state: removes states without predecessors until none is
    /// left (Kahn 1962).
    func hasCycle() -> Bool {
        /// By state: the number of moves to it from states that have not been removed.
        let degrees = OwnedBuffer<UInt32>(repeating: 0, count: stateCount)
        for state in 0..<stateCount {
            for edge in edges(of: state) where edge.isMove { degrees[Int(edge.target)] &+= 1 }
        }
        /// The removed states, in order of removal. That is mostly the order in which they were found, so memory is
        /// read sequentially.
        let removed = OwnedBuffer<UInt32>(capacity: stateCount)
        var removedCount = 0
        func remove(_ state: UInt32) {
            removed[removedCount] = state
            removedCount += 1
        }
        for state in 0..<stateCount where degrees[state] == 0 { remove(UInt32(truncatingIfNeeded: state)) }
        var next = 0
        while next < removedCount {
            for edge in edges(of: Int(removed[next])) where edge.isMove {
                degrees[Int(edge.target)] &-= 1
                if degrees[Int(edge.target)] == 0 { remove(edge.target) }
            }
            next += 1
        }
        return removedCount < stateCount
    }

    /// The memory in use, in bytes.
    var memory: Int { end * MemoryLayout<Edge>.stride + stateCount * MemoryLayout<Extent>.stride }
}

/// Memory for plain elements that grows without moving them. It consists of segments, each as large as all earlier ones
/// together. The elements are not initialized.
struct SegmentedBuffer<Element: BitwiseCopyable>: ~Copyable {
    /// Access to the elements. Valid while the buffer exists.
    struct View: BitwiseCopyable {
        fileprivate let segments: UnsafeMutablePointer<UnsafeMutablePointer<Element>>

        @inline(__always) func address(of index: Int) -> UnsafeMutablePointer<Element> {
            let (segment, place) = SegmentedBuffer.place(of: index)
            return segments[segment] + place
        }
    }

    private let segments = OwnedBuffer<UnsafeMutablePointer<Element>>(capacity: 64)
    private var segmentCount = 0

    /// The size of the first segment, a power of two.
    private static var firstSize: Int { 1 << firstBits }
    @inline(__always) private static var firstBits: Int { 10 }

    deinit {
        for segment in 0..<segmentCount { segments[segment].deallocate() }
    }

    @inline(__always) private static func place(of index: Int) -> (segment: Int, place: Int) {
        let shifted = index + firstSize
        let segment = Int.bitWidth - 1 - firstBits - shifted.leadingZeroBitCount
        return (segment, shifted - firstSize << segment)
    }

    /// The index of the first element after the segment of this element.
    @inline(__always) static func end(ofSegmentWith index: Int) -> Int {
        let segment = Int.bitWidth - 1 - firstBits - (index + firstSize).leadingZeroBitCount
        return firstSize << (segment + 1) - firstSize
    }

    /// Makes room for elements below an index.
    @inline(__always) mutating func reserve(_ end: Int) {
        while end > Self.firstSize << segmentCount - Self.firstSize { addSegment() }
    }

    @inline(never) private mutating func addSegment() {
        segments[segmentCount] = OwnedBuffer<Element>.allocate(Self.firstSize << segmentCount)
        segmentCount += 1
    }

    @inline(__always) var view: View { View(segments: segments.base) }

    @inline(__always) func address(of index: Int) -> UnsafeMutablePointer<Element> { view.address(of: index) }
}
