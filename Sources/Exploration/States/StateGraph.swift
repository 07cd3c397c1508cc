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

        /// - Parameter isDue: whether a fair scheduler owes the thread this step.
        init(
            to target: Int, by thread: Int, isBranch: Bool, isProgress: Bool, isDue: Bool = true, hasWays: Bool = false
        ) {
            let marks = (isBranch ? Self.branch : 0) | (isProgress ? Self.progress : 0) | (isDue ? 0 : Self.gift)
            self.init(target, thread, marks | (hasWays ? Self.ways : 0))
        }

        /// Time passes.
        static func time(to target: Int, isBranch: Bool) -> Edge { Edge(target, clock, isBranch ? branch : 0) }

        /// No move: the thread will be able to step when time has passed.
        static func deadline(of thread: Int) -> Edge { Edge(0, thread, deadline) }

        /// No move: the thread is to make progress again and again.
        static func expectation(of thread: Int) -> Edge { Edge(0, thread, expectation) }

        /// No move: something that must happen has not happened yet.
        static let unfulfilled = Edge(0, 0xffff, expectation)

        /// No move: there has been a race, of this number.
        static func race(_ number: Int) -> Edge { Edge(number, 0xffff, race) }

        private static let clock = 0xfffe
        private static let branch: UInt32 = 1 << 16
        private static let progress: UInt32 = 1 << 17
        private static let deadline: UInt32 = 1 << 18
        private static let expectation: UInt32 = 1 << 19
        private static let gift: UInt32 = 1 << 20
        private static let race: UInt32 = 1 << 21
        private static let ways: UInt32 = 1 << 22

        var thread: Int { Int(label & 0xffff) }
        /// Whether the step has more ways than one. Which one this is, the edge does not say.
        var hasWays: Bool { label & Self.ways != 0 }
        /// Whether the step has other alternatives, which could lead elsewhere: see `MachineState.isFork`.
        var isBranch: Bool { label & Self.branch != 0 }
        /// Whether the thread has done in the step what it loops for.
        var isProgress: Bool { label & Self.progress != 0 }
        var isMove: Bool { label & (Self.deadline | Self.expectation | Self.race) == 0 }
        /// The number of the race that there has been. Nil: it says nothing of that.
        var race: Int? { label & Self.race != 0 ? Int(target) : nil }
        /// Whether in this move time passes, and no thread steps.
        var isTime: Bool { label & 0xffff == Self.clock && isMove }
        var isDeadline: Bool { label & Self.deadline != 0 }
        /// Whether it shows that the thread can step now, and that a fair scheduler owes it a step.
        var isStep: Bool { isMove && !isTime && label & Self.gift == 0 }
        /// The same, now or when time has passed.
        var isAbility: Bool { isStep || isDeadline }
        var isExpectation: Bool { label & Self.expectation != 0 && !isUnfulfilled }
        var isUnfulfilled: Bool { label == Self.expectation | 0xffff }
    }

    /// Where a state's edges are.
    struct Extent: BitwiseCopyable {
        private let word: UInt64

        init(start: Int, count: Int) {
            precondition(count < 1 << 24, "a state has too many moves")
            word = UInt64(start) << 24 | UInt64(count)
        }

        var start: Int { Int(word >> 24) }
        var count: Int { Int(word & 0xff_ffff) }
    }

    private var edges = SegmentedBuffer<Edge>()
    /// Where the next edge is.
    private var end = 0
    /// By state.
    private var extents = SegmentedBuffer<Extent>()
    private var stateCount = 0
    /// The state that the edges leave which are added next; where the first of them is, and their number.
    private var source = 0
    private var start = 0
    private var count = 0

    /// The edges that are added next leave this state.
    mutating func begin(_ state: Int) {
        growTo(state + 1)
        (source, start, count) = (state, end, 0)
    }

    /// The edges that are added next leave this state, in addition to those that do.
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

    /// The edges of a state are in one segment.
    private mutating func moveToNextSegment() {
        edges.reserve(end + count + 1)
        edges.address(of: end).update(from: edges.address(of: start), count: count)
        start = end
        end += count
    }

    /// Makes room for states without edges.
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

    /// Whether some sequence of moves comes back to where it began: removes states without predecessors until none is left
    /// (Kahn 1962).
    func hasCycle() -> Bool {
        /// By state: the number of moves that lead to it from states that are left.
        let degrees = OwnedBuffer<UInt32>(repeating: 0, count: stateCount)
        for state in 0..<stateCount {
            for edge in edges(of: state) where edge.isMove { degrees[Int(edge.target)] &+= 1 }
        }
        /// The states that are removed, in this order: mostly that in which they were found, so that memory is read in order.
        let removed = OwnedBuffer<UInt32>(capacity: stateCount)
        var count = 0
        func remove(_ state: UInt32) {
            removed[count] = state
            count += 1
        }
        for state in 0..<stateCount where degrees[state] == 0 { remove(UInt32(truncatingIfNeeded: state)) }
        var next = 0
        while next < count {
            for edge in edges(of: Int(removed[next])) where edge.isMove {
                degrees[Int(edge.target)] &-= 1
                if degrees[Int(edge.target)] == 0 { remove(edge.target) }
            }
            next += 1
        }
        return count < stateCount
    }

    /// In bytes.
    var memory: Int { end * MemoryLayout<Edge>.stride + stateCount * MemoryLayout<Extent>.stride }
}

/// Memory for plain elements that grows without moving them: in segments, each as large as all before it together. The elements
/// are not initialized.
struct SegmentedBuffer<Element: BitwiseCopyable>: ~Copyable {
    /// For reading and setting elements. Valid as long as the buffer.
    struct View: BitwiseCopyable {
        fileprivate let segments: UnsafeMutablePointer<UnsafeMutablePointer<Element>>

        @inline(__always) func address(of index: Int) -> UnsafeMutablePointer<Element> {
            let (segment, place) = SegmentedBuffer.place(of: index)
            return segments[segment] + place
        }
    }

    private let segments = OwnedBuffer<UnsafeMutablePointer<Element>>(capacity: 64)
    private var segmentCount = 0

    private static var firstSize: Int { 1 << 10 }

    deinit {
        for segment in 0..<segmentCount { segments[segment].deallocate() }
    }

    @inline(__always) private static func place(of index: Int) -> (segment: Int, place: Int) {
        let shifted = index + firstSize
        let segment = 53 - shifted.leadingZeroBitCount
        return (segment, shifted - firstSize << segment)
    }

    /// The index of the first element behind the segment of this one.
    @inline(__always) static func end(ofSegmentWith index: Int) -> Int {
        let segment = 53 - (index + firstSize).leadingZeroBitCount
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
