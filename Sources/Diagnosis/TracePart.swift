import Trace

/// The part of a saved trace that is examined and shown: its beginning, as far as that needs no more memory and work than a command has.
///
/// A trace comes from anywhere, and a small file can ask for much: what threads know of each other grows with the square of their number, and
/// so does what a thread that takes very many locks holds at each of its steps. What is counted here is an upper bound of it, not a time.
package struct TracePart {
    package struct Limits: Sendable {
        /// Numbers in the clocks of threads and objects, of four bytes each.
        package var clockWords = 1 << 26
        /// What each event makes an examination look at: its thread's locks, and if there are many threads, all of them.
        package var work = 1 << 28
        /// Writes that a step under a weaker memory model does not see, of all steps together.
        package var newerWrites = 1 << 24
        /// Objects, each of which has a place in many tables.
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
            // It is about what is left out.
            part.outcome = nil
            // Names that no event of the part refers to.
            part.threads = Array(trace.threads.prefix(threads))
            part.objects = Array(trace.objects.prefix(objects))
            self.trace = part
            return
        }
        self.trace = trace
    }

    /// Up to 64, looking at all threads costs no more than looking at the event.
    fileprivate static let fewThreads = 64
    /// No more orders of locks are kept: see `LockOrderGraph`.
    fileprivate static let mostOrders = 1 << 16
}

/// What the events so far need.
private struct Need {
    /// One more than the greatest number of a thread, and of an object.
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
        // Its own, what it leaves at its end, and what its fences have seen.
        clocks += 4
    }

    private mutating func note(_ object: ObjectID) {
        guard object != .none, !isOrdered[object] else { return }
        isOrdered[object] = true
        places = max(places, Int(object.index) + 1)
        objects += 1
        // What the next thread will have seen, and that of readers.
        clocks += 2
    }

    /// Each write is a message that passes on what its thread has seen, and stays.
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
