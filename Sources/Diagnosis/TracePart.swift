import Trace

/// The beginning of a saved trace: as much of it as can be examined and shown within the limits of memory and work.
///
/// A trace may come from anywhere, and a small file can demand much: what threads know of each other grows with the
/// square of their number, and so does the work for a thread that takes very many locks, all of which it holds at each
/// step. The limits are upper bounds of such amounts, not times.
package struct TracePart {
    package struct Limits: Sendable {
        /// The numbers, four bytes each, in the clocks of threads and objects.
        package var clockWords = 1 << 26
        /// What an examination looks at for each event: the locks of its thread and, if there are many threads, all
        /// threads.
        package var work = 1 << 28
        /// The newer writes that steps under a weaker memory model do not see, counted for all steps.
        package var newerWrites = 1 << 24
        /// The objects, each of which has an entry in many tables.
        package var objects = 1 << 18

        package init() {}
    }

    package let trace: TraceDocument

    package init(_ trace: TraceDocument, within limits: Limits = Limits()) {
        var need = Need()
        for (index, event) in trace.events.enumerated() {
            let (threads, objects) = (need.threads, need.places)
            need.add(event)
            guard need.exceeds(limits) else { continue }
            var part = trace
            part.events.removeSubrange(index...)
            part.omitted = trace.omitted + trace.events.count - index
            // The outcome may depend on the omitted part.
            part.outcome = nil
            // Drops names to which no event of the part refers.
            part.threads = Array(trace.threads.prefix(threads))
            part.objects = Array(trace.objects.prefix(objects))
            self.trace = part
            return
        }
        self.trace = trace
    }

    /// Looking at this number of threads costs no more than looking at the event.
    fileprivate static let fewThreads = 64
    /// No more lock orders than this are kept: see `LockOrderGraph`.
    fileprivate static let mostOrders = 1 << 16
}

/// What examining the events so far requires.
private struct Need {
    /// The greatest number of a thread plus one; `places`: that of an object.
    private(set) var threads = 1
    private(set) var places = 1
    private var objects = 0
    private var clocks = 1
    private var orders = 0
    private var work = 0
    private var newerWrites = 0
    private var isWeak = false
    private var hasClock = PerThread(false)
    private var isOrdered = PerObject(false)
    private var held = PerThread(0)
    private var writes = PerObject(0)

    func exceeds(_ limits: TracePart.Limits) -> Bool {
        (clocks + orders) * threads > limits.clockWords || work > limits.work || newerWrites > limits.newerWrites
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
        work += 1 + held[event.thread] + (threads > TracePart.fewThreads ? threads : 0)
    }

    private mutating func note(_ thread: ThreadID) {
        guard !hasClock[thread] else { return }
        hasClock[thread] = true
        threads = max(threads, Int(thread.index) + 1)
        // Four clocks for each thread: its own, the one that it leaves at its end, and two of its fences.
        clocks += 4
    }

    private mutating func note(_ object: ObjectID) {
        guard object != .none, !isOrdered[object] else { return }
        isOrdered[object] = true
        places = max(places, Int(object.index) + 1)
        objects += 1
        // Two clocks for each object: what the next thread will have seen, and what its readers have seen.
        clocks += 2
    }

    /// Each write is a message with a clock of what its thread has seen, and is kept.
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
