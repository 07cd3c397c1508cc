import Trace

/// When stores reach memory, under tso. Needed for claims about values during the execution (`expect eventually`): they
/// depend on the order in which memory changes.
///
/// An execution graph orders the stores of one atomic, but not the stores of different ones. On x86 all stores reach
/// memory in one order, and each execution has a schedule that shows it: a store is taken when it reaches memory, so it
/// always goes to the end of modification order; any other step is taken as soon as its thread's earlier stores have
/// reached memory. A load that is taken behind a store that could wait in the thread's buffer may have happened before
/// that store reached memory. So it may read what memory held at an earlier moment, or a store of its own thread that
/// was in the buffer then. That moment is not before the thread's buffer was last empty, nor before the thread's
/// earlier loads.
///
/// A *moment* is the number of stores that have reached memory.
struct Arrivals {
    /// Whether the model is tso and the program has such a claim. Otherwise this is empty.
    var isUsed = false
    /// By name of a store: the moment from which on memory holds it.
    private var moments: [Int32: Int] = [:]
    /// By thread: whether a store of it may have waited in its buffer until now.
    private var waits = [Bool](repeating: false, count: ExecutionGraph.mostThreads)
    /// By thread: the earliest moment at which its next load can have happened. Valid if such a store may have waited.
    private var earliestLoads = [Int](repeating: 0, count: ExecutionGraph.mostThreads)

    mutating func reset() {
        guard isUsed else { return }
        moments.removeAll(keepingCapacity: true)
        for thread in waits.indices { (waits[thread], earliestLoads[thread]) = (false, 0) }
    }

    /// The moment from which on memory holds the message.
    private func moment(of message: EventName) -> Int { message == .initial ? 0 : moments[message.word] ?? 0 }

    /// The earliest moment at which the thread's next load can have happened.
    private func earliestLoad(of thread: Int, _ now: Int) -> Int { waits[thread] ? earliestLoads[thread] : now }

    /// Whether the thread's load can read the message.
    ///
    /// - Parameters:
    ///   - next: the next message in modification order. Nil: the message is the newest.
    ///   - drains: whether the step waits until the thread's stores have reached memory.
    ///   - now: the present moment.
    func canRead(_ message: EventName, next: EventName?, _ thread: Int, drains: Bool, now: Int) -> Bool {
        guard let next else { return true }
        let earliest = drains ? now : earliestLoad(of: thread, now)
        return moment(of: next) > earliest || hasWaited(message, thread, after: earliest)
    }

    /// Whether the message is a store of the thread itself that was still in its buffer at the moment.
    private func hasWaited(_ message: EventName, _ thread: Int, after earlier: Int) -> Bool {
        message != .initial && message.thread == thread && moment(of: message) > earlier
    }

    /// The thread has read the message, and stores nothing.
    mutating func noteLoad(_ message: EventName, _ thread: Int, now: Int) {
        guard waits[thread] else { return noteStep(thread, drains: false, now: now) }
        if hasWaited(message, thread, after: earliestLoads[thread]) { return }
        earliestLoads[thread] = max(earliestLoads[thread], moment(of: message))
    }

    /// The thread's store reaches memory at this moment.
    ///
    /// - Parameter mayHaveWaited: whether it can have waited in the buffer until now.
    mutating func noteStore(_ message: EventName, _ thread: Int, waits mayHaveWaited: Bool, now: Int) {
        moments[message.word] = now
        // A store that waits may have entered the buffer right after the thread's previous step, so `earliestLoads`
        // stays.
        if mayHaveWaited { waits[thread] = true } else { noteStep(thread, drains: true, now: now) }
    }

    /// The thread's write of a plain cell reaches memory now, and may have waited in the buffer until now. Its moment
    /// is not recorded, because only the claim can observe it: a thread that could would have a data race, or be
    /// ordered after a step that drains the buffer.
    mutating func noteWrite(_ thread: Int) { waits[thread] = true }

    /// The thread takes a step other than a load, a store or a write.
    ///
    /// - Parameter drains: whether it waits until the thread's stores have reached memory.
    mutating func noteStep(_ thread: Int, drains: Bool, now: Int) {
        if drains { waits[thread] = false }
        if !waits[thread] { earliestLoads[thread] = now }
    }

    // MARK: - Cycles

    /// Adds what decides which messages of an object the thread can read, as differences of moments.
    func hash(into hash: inout StateHash, _ messages: some Collection<EventName>, _ thread: Int, now: Int) {
        guard waits[thread] else { return }
        hash.add(now - earliestLoads[thread])
        var next: EventName?
        for message in messages.reversed() {
            if canRead(message, next: next, thread, drains: false, now: now) { hash.add(now - moment(of: message)) }
            next = message
        }
    }
}

extension Act {
    /// Whether a step that is not on an atomic has waited until the thread's stores have reached memory.
    func drainsBuffer(_ operation: Operation) -> Bool {
        switch row.graph {
        case .fence, .store: operation.orders.order == .seqcst
        case .start, .read, .write, .choose, .load: false
        case .spawn, .join, .sync, .loadToUpdate, .storeOfUpdate, .lock, .unlock: true
        case .other: reach == .writesWorld
        }
    }
}
