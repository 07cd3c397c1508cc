/// Adds a weaker memory model to a run of the machine. Its execution graph decides which messages (writes of an object)
/// a step on an atomic may read, and where in modification order a store may be put; these are the alternatives, or
/// *ways*, of the step. In the first way it reads the newest message, or is put at the end: what sequential consistency
/// would do. All else is decided by the machine's words.
///
/// Each step is one event of its thread, as in a search of graphs (`GraphSubject`), or two: an update, which reads and
/// writes, and a step on a condition and its mutex.
package final class WeakMemory {
    /// The greatest step limit of a run: a thread has room for twice as many events, and a step makes at most two.
    package static let mostSteps = ExecutionGraph.mostEvents / 2

    package let model: MemoryModel
    /// Replaced by a larger one when there are more objects.
    @exclusivity(unchecked) package private(set) var graph: ExecutionGraph
    /// How many steps on atomics have read a message other than the newest, or have put their own elsewhere than at the
    /// end of modification order.
    @exclusivity(unchecked) private(set) var staleCount = 0
    /// The number of messages of atomics that have been written.
    @exclusivity(unchecked) var writeCount = 0
    /// The number of accesses of cells, which can race.
    @exclusivity(unchecked) var accessCount = 0
    /// How many messages are newer than the one that the last step on an atomic has read or written.
    @exclusivity(unchecked) package private(set) var newerCount = 0
    @exclusivity(unchecked) private var threadCount = 0
    @exclusivity(unchecked) private var objectCount = 1
    /// By thread: whether its last read belongs to a repeated attempt at an `await`.
    let renewed = OwnedBuffer<Bool>(repeating: false, count: ExecutionGraph.mostThreads)
    /// By thread: the event that has started it. `none`: no step has, as for the main thread.
    let starts = OwnedBuffer<EventName>(repeating: .none, count: ExecutionGraph.mostThreads)
    let clocks = Owned(ObjectClocks())
    /// When stores have reached memory, under tso, if a claim depends on that.
    let arrivals = Owned(Arrivals())
    /// The ways of the operation that was examined last.
    let ways = Owned(Ways())

    struct Ways: ~Copyable {
        /// By way: the place of the message that is read, or where one is put.
        var places = OwnedBuffer<Int32>(capacity: 16)
        var count = 0
        /// From this way on, a weak compare-exchange fails although it finds the expected value.
        var spurious = 0

        mutating func begin() {
            count = 0
            spurious = .max
        }

        mutating func add(_ place: Int) {
            places.reserve(count + 1, keeping: count)
            places[count] = Int32(truncatingIfNeeded: place)
            count += 1
        }
    }

    package init(_ model: MemoryModel) {
        self.model = model
        graph = ExecutionGraph(model, threads: ExecutionGraph.mostThreads, words: [], haveMessages: [])
    }

    func reset() {
        graph.reset()
        staleCount = 0
        writeCount = 0
        accessCount = 0
        threadCount = 0
        objectCount = 1
        renewed.base.update(repeating: false, count: ExecutionGraph.mostThreads)
        starts.base.update(repeating: .none, count: ExecutionGraph.mostThreads)
        clocks.pointee.reset()
        arrivals.pointee.reset()
    }

    /// Whether the order in which stores reach memory matters, from the next execution on: the program has claims about
    /// values during the execution (`expect eventually`), and the model is tso. Setting it to true has no effect under
    /// other models.
    var isJudgedOnTheWay: Bool {
        get { arrivals.pointee.isUsed }
        set { arrivals.pointee.isUsed = newValue && model == .tso }
    }

    /// Makes room for threads and objects that are new in the machine.
    @inline(always) func makeRoom(for state: MachineState) {
        if state.threadCount != threadCount || state.objectCount != objectCount { grow(with: state) }
    }

    @inline(never) private func grow(with state: MachineState) {
        if state.objectCount > graph.objectCount { growGraph(to: max(state.objectCount, 2 * graph.objectCount)) }
        while objectCount < state.objectCount {
            let object = state.object(UInt32(objectCount))
            graph.define(objectCount, word: object.value, hasMessages: object.kind != .cell)
            objectCount += 1
        }
        // The main thread begins with the run; any other begins with a step of its own.
        if threadCount == 0 && state.threadCount > 0 { _ = graph.append(.start, 0, 0, .relaxed) }
        threadCount = state.threadCount
    }

    private func growGraph(to objects: Int) {
        let larger = ExecutionGraph(
            model, threads: ExecutionGraph.mostThreads, words: Array(repeating: 0, count: objects - 1),
            haveMessages: Array(repeating: false, count: objects - 1))
        for object in 1..<objectCount {
            larger.define(object, word: graph.initialWords[object], hasMessages: graph.haveMessages[object])
        }
        larger.copyEvents(of: graph)
        graph = larger
        clocks.pointee.reserve(objects)
    }

    /// Called when time passes.
    func noteTime() { graph.noteFront() }

    // MARK: - Cycles

    /// The counters above at a moment. From those of two equal states, `FairCycle` learns what happened in between.
    struct Mark {
        let staleCount: Int
        let writeCount: Int
        let accessCount: Int
    }

    var mark: Mark { Mark(staleCount: staleCount, writeCount: writeCount, accessCount: accessCount) }

    /// Adds what the future depends on besides the newest values: which older messages each thread can still read.
    func hash(into hash: inout StateHash, _ state: MachineState, leavingOut counters: [Bool]) {
        for thread in 0..<threadCount where !state.hasEnded(thread) {
            for object in 1..<objectCount
            where state.object(UInt32(object)).kind.isAtomic && !counters.contains(object: object) {
                let (lowest, end) = (
                    graph.lowestPlace(UInt32(object), for: thread), graph.messageCount(of: UInt32(object))
                )
                if arrivals.pointee.isUsed {
                    let messages = (lowest..<end).map { graph.message(UInt32(object), at: $0) }
                    arrivals.pointee.hash(into: &hash, messages, thread, now: writeCount)
                } else {
                    hash.add(end - lowest)
                }
            }
        }
    }

    /// Counts a step on an atomic.
    ///
    /// - Parameter newer: see `newerCount`.
    func noteStep(newer: Int) {
        newerCount = newer
        if newer > 0 { staleCount += 1 }
    }
}
