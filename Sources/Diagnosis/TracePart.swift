import Trace

/// The beginning of a saved trace: as much of it as can be examined and shown within limits of memory and work.
///
/// A trace may come from anywhere, and a small file can demand much. The clocks of the threads need memory that grows
/// with the square of the number of threads, and each event of a thread that holds very many locks is compared with all
/// of them. The limits are upper bounds of such amounts, not times.
package struct TracePart {
    package struct Limits: Sendable {
        /// The total number of entries, four bytes each, in all vector clocks.
        package var clockWords = 1 << 26
        /// The number of things that an examination looks at, over all events: for each event, itself, the locks that
        /// its thread holds and, if there are many threads, all threads.
        package var work = 1 << 28
        /// The total number of newer writes that the steps under a weaker memory model do not see.
        package var newerWrites = 1 << 24
        /// The number of objects. Each has an entry in many tables.
        package var objects = 1 << 18

        package init() {}
    }

    package let trace: TraceDocument

    package init(_ trace: TraceDocument, within limits: Limits = Limits()) {
        var need = Need()
        for (index, event) in trace.events.enumerated() {
            let (threadEnd, objectEnd) = (need.threadEnd, need.objectEnd)
            need.add(event)
            guard need.exceeds(limits) else { continue }
            var part = trace
            part.events.removeSubrange(index...)
            part.omitted = trace.omitted + trace.events.count - index
            // The outcome may depend on the omitted part.
            part.outcome = nil
            // Drops names to which no event of the part refers.
            part.threads = Array(trace.threads.prefix(threadEnd))
            part.objects = Array(trace.objects.prefix(objectEnd))
            self.trace = part
            return
        }
        self.trace = trace
    }

    /// The maximum number of threads that are not counted as work: looking at all of them costs no more than the event.
    fileprivate static let fewThreads = 64
    /// The maximum number of lock orders that are kept: see `LockOrderGraph`.
    fileprivate static let mostOrders = 1 << 16
}

/// What examining the events so far requires, as upper bounds.
private struct Need {
    /// The greatest number of a thread so far, plus one.
    private(set) var threadEnd = 1
    /// The greatest number of an object so far, plus one.
    private(set) var objectEnd = 1
    /// How many different objects have occurred.
    private var objects = 0
    /// How many vector clocks there can be; `orders` counts the lock orders, each of which keeps a clock too.
    private var clocks = 1
    private var orders = 0
    private var work = 0
    private var newerWrites = 0
    private var isWeak = false
    /// Whether the clocks of the thread, or of the object, have been counted.
    private var isThreadCounted = PerThread(false)
    private var isObjectCounted = PerObject(false)
    private var held = PerThread(0)
    private var writes = PerObject(0)

    func exceeds(_ limits: TracePart.Limits) -> Bool {
        (clocks + orders) * threadEnd > limits.clockWords || work > limits.work || newerWrites > limits.newerWrites
            || objects > limits.objects
    }

    mutating func add(_ event: Event) {
        note(event.thread)
        if let other = event.valueAsThread { note(other) }
        note(event.object)
        if let other = event.valueAsObject { note(other) }
        if event.kind.effect == .weaken { isWeak = true }
        if isWeak { addWeakStep(event) }
        if let change = event.lockChange {
            note(change.lock)
            if change.from != nil { held[event.thread] = max(0, held[event.thread] - 1) }
            if change.to != nil {
                if held[event.thread] > 0 { orders = min(orders + 1, TracePart.mostOrders) }
                held[event.thread] += 1
            }
        }
        work += 1 + held[event.thread] + (threadEnd > TracePart.fewThreads ? threadEnd : 0)
    }

    private mutating func note(_ thread: ThreadID) {
        guard !isThreadCounted[thread] else { return }
        isThreadCounted[thread] = true
        threadEnd = max(threadEnd, Int(thread.index) + 1)
        // Four clocks for each thread: its current one, the one at its end, and two for its fences.
        clocks += 4
    }

    private mutating func note(_ object: ObjectID) {
        guard object != .none, !isObjectCounted[object] else { return }
        isObjectCounted[object] = true
        objectEnd = max(objectEnd, Int(object.index) + 1)
        objects += 1
        // Two clocks for each object: what its next holder will have seen, and what its readers have seen.
        clocks += 2
    }

    /// Counts what a step on an atomic needs under a weaker memory model: each write is kept, with a clock of what its
    /// thread has seen.
    private mutating func addWeakStep(_ event: Event) {
        if event.kind.effect == .reorder {
            newerWrites += min(Int(clamping: max(0, event.value)), writes[event.object])
        }
        if event.kind.isOfAtomic && event.kind.effect.isWrite {
            writes[event.object] += 1
            clocks += 1
        }
    }
}
