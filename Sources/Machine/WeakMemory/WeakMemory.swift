/// The execution graph of a run under a weaker memory model, beside the machine's words: what a step on an atomic may
/// read, and where a store may be put, are the alternatives of the step. The first is always the newest message, or the
/// end of modification order: what sequential consistency would do.
///
/// Each step is one event of its thread, as in a search of graphs (`GraphSubject`), except an update, which is two.
package final class WeakMemory {
    /// The most steps of a run: a graph has room for that many events of a thread, of which a step makes two at most.
    package static let mostSteps = ExecutionGraph.mostEvents / 2

    package let model: MemoryModel
    /// Replaced by a larger one when there are more objects.
    @exclusivity(unchecked) package private(set) var graph: ExecutionGraph
    /// How many steps have not read the newest message, or not been put at the end.
    @exclusivity(unchecked) private(set) var staleCount = 0
    /// The number of messages of atomics that have been written.
    @exclusivity(unchecked) var writeCount = 0
    /// The number of accesses of cells, which can race.
    @exclusivity(unchecked) var accessCount = 0
    /// Of the last step on an atomic: how many messages are newer than the one that it has read, or written.
    @exclusivity(unchecked) package private(set) var newerCount = 0
    @exclusivity(unchecked) private var threadCount = 0
    @exclusivity(unchecked) private var objectCount = 1
    /// By thread: whether its last read belongs to a repeated attempt of an `await`.
    let renewed = OwnedBuffer<Bool>(repeating: false, count: ExecutionGraph.mostThreads)
    /// By thread: the event that has started it. `none`: it has started with the run.
    let starts = OwnedBuffer<EventName>(repeating: .none, count: ExecutionGraph.mostThreads)
    let clocks = Owned(ObjectClocks())
    /// When stores have reached memory, under tso, if a claim is about that.
    let arrivals = Owned(Arrivals())
    /// The ways of the operation that was looked at last.
    let ways = Owned(Ways())

    struct Ways: ~Copyable {
        var places = OwnedBuffer<Int32>(capacity: 16)
        var count = 0
        /// From this one on, a compare-exchange fails though it finds the expected value.
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
        graph = ExecutionGraph(model, threads: ExecutionGraph.mostThreads, words: [], atomics: [])
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

    /// Whether claims are about what memory holds on the way. From the next execution on.
    var isJudgedOnTheWay: Bool {
        get { arrivals.pointee.isUsed }
        set { arrivals.pointee.isUsed = newValue && model == .tso }
    }

    /// Follows new threads and objects.
    @inline(always) func follow(_ state: MachineState) {
        if state.threadCount != threadCount || state.objectCount != objectCount { grow(with: state) }
    }

    @inline(never) private func grow(with state: MachineState) {
        if state.objectCount > graph.objectCount { makeRoom(for: max(state.objectCount, 2 * graph.objectCount)) }
        while objectCount < state.objectCount {
            let object = state.object(UInt32(objectCount))
            graph.define(objectCount, word: object.value, hasMessages: object.kind != .cell)
            objectCount += 1
        }
        // The main thread begins with the run; the others have a step for it.
        if threadCount == 0 && state.threadCount > 0 { _ = graph.append(.start, 0, 0, .relaxed) }
        threadCount = state.threadCount
    }

    private func makeRoom(for objects: Int) {
        let larger = ExecutionGraph(
            model, threads: ExecutionGraph.mostThreads, words: Array(repeating: 0, count: objects - 1),
            atomics: Array(repeating: false, count: objects - 1))
        for object in 1..<objectCount {
            larger.define(object, word: graph.initialWords[object], hasMessages: graph.isAtomic[object])
        }
        larger.copyEvents(of: graph)
        graph = larger
        clocks.pointee.reserve(objects)
    }

    /// Time passes.
    func noteTime() { graph.noteFront() }

    // MARK: - Cycles

    /// What has happened besides what the state shows.
    struct Mark {
        let staleCount: Int
        let writeCount: Int
        let accessCount: Int
    }

    var mark: Mark { Mark(staleCount: staleCount, writeCount: writeCount, accessCount: accessCount) }

    /// Adds what decides about the future besides the newest values.
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

    /// - Parameter newer: see `newerCount`.
    func noteStep(newer: Int) {
        newerCount = newer
        if newer > 0 { staleCount += 1 }
    }
}
