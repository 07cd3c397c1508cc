import Trace

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
    /// Of the last step on an atomic: how many messages are newer than the one that it has read, or written.
    @exclusivity(unchecked) package private(set) var newerCount = 0
    @exclusivity(unchecked) private var threadCount = 0
    @exclusivity(unchecked) private var objectCount = 1
    /// By thread: whether its last read belongs to a repeated attempt of an `await`.
    let renewed = OwnedBuffer<Bool>(repeating: false, count: ExecutionGraph.mostThreads)
    /// The places of the ways of the operation that was looked at last.
    var ways = Owned(Ways())

    struct Ways: ~Copyable {
        var places = OwnedBuffer<Int32>(capacity: 16)
        var count = 0

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
        threadCount = 0
        renewed.base.update(repeating: false, count: ExecutionGraph.mostThreads)
    }

    /// Follows new threads and objects.
    @inline(always) func follow(_ state: MachineState) {
        if state.threadCount != threadCount || state.objectCount != objectCount { grow(with: state) }
    }

    @inline(never) private func grow(with state: MachineState) {
        if state.objectCount > objectCount {
            let objects = (1..<state.objectCount).map { state.object(UInt32($0)) }
            let larger = ExecutionGraph(
                model, threads: ExecutionGraph.mostThreads, words: objects.map(\.value),
                atomics: objects.map { $0.kind == .atomic || $0.kind.isMutex })
            larger.copyEvents(of: graph)
            graph = larger
            objectCount = state.objectCount
        }
        // The main thread begins with the run; the others have a step for it.
        if threadCount == 0 && state.threadCount > 0 { _ = graph.append(.start, 0, 0, .relaxed) }
        threadCount = state.threadCount
    }

    // MARK: - Steps that are not on atomics

    /// The thread takes a step.
    ///
    /// - Returns: the event that it races with, if it does.
    func follow(_ act: Act, _ operation: Operation, _ thread: Int, _ state: MachineState) -> EventName? {
        follow(state)
        switch act {
        case .start: _ = graph.append(.start, thread, 0, .relaxed)
        case .fence: graph.fence(graph.append(.fence, thread, 0, operation.orders.order))
        case .read, .write:
            let access = graph.append(act == .read ? .read : .write, thread, operation.object, .relaxed)
            access.pointee.word = operation.a
            return graph.race(of: access, by: thread)
        case .take:
            let newest = graph.message(operation.object, at: graph.messageCount(of: operation.object) - 1)
            graph.read(graph.append(.lock, thread, operation.object, .acquire), from: newest)
        case .release:
            let event = graph.append(.unlock, thread, operation.object, .release)
            graph.write(
                0, event, EventName(thread, graph.counts[thread]), at: graph.messageCount(of: operation.object))
        case .join:
            let event = graph.append(.join, thread, 0, .relaxed)
            event.pointee.value = operation.a
            graph.follow(event, graph.lastEvent(of: operation.a))
        default: _ = graph.append(act == .choose ? .choose : .other, thread, 0, .relaxed)
        }
        return nil
    }

    // MARK: - Cycles

    /// Adds what decides about the future besides the newest values. An execution repeats itself only if it does so
    /// reading the newest messages: a thread does not read an older one forever.
    func hash(into hash: inout StateHash, _ state: MachineState) {
        hash.add(staleCount)
        for thread in 0..<threadCount where !state.hasEnded(thread) {
            for object in 1..<graph.objectCount
            where graph.isAtomic[object] && state.object(UInt32(object)).kind == .atomic {
                hash.add(graph.messageCount(of: UInt32(object)) - graph.lowestPlace(UInt32(object), for: thread))
            }
        }
    }

    /// - Parameter newer: see `newerCount`.
    func noteStep(newer: Int) {
        newerCount = newer
        if newer > 0 { staleCount += 1 }
    }
}
