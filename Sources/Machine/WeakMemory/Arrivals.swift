import Trace

/// Under tso, in programs with a claim about what memory holds on the way (`expect eventually`): steps come in the order in
/// which stores reach memory.
///
/// A graph says which store of an atomic reaches memory before which other one, but not which of two atomics changes first. On
/// x86 there is such an order, and each execution has a schedule that shows it: each step of a thread comes as soon as the
/// thread's earlier stores have reached memory, and a store when it does so itself. Then each store goes to the end of
/// modification order. A load behind stores that could have waited has happened earlier: it has read what memory held at some
/// moment since the thread's buffer was empty and its loads before, or a store that waited then. The moment is the number of
/// stores that have reached memory.
struct Arrivals {
    /// Whether the run is one of tso, whose claims need it.
    var isUsed = false
    /// By name of a store: the moment from which on memory holds it.
    private var moments: [Int32: Int] = [:]
    /// By thread: whether some store of it can have waited until now; and the earliest moment of its next step, which is that of its
    /// last one, if that store is behind it.
    private var waits = [Bool](repeating: false, count: ExecutionGraph.mostThreads)
    private var earliest = [Int](repeating: 0, count: ExecutionGraph.mostThreads)

    mutating func reset() {
        guard isUsed else { return }
        moments.removeAll(keepingCapacity: true)
        for thread in waits.indices { (waits[thread], earliest[thread]) = (false, 0) }
    }

    private func moment(of message: EventName) -> Int { message == .initial ? 0 : moments[message.word] ?? 0 }

    private func earliest(_ thread: Int, _ now: Int) -> Int { waits[thread] ? earliest[thread] : now }

    /// Whether the thread's load can read the message.
    ///
    /// - Parameters:
    ///   - next: the next message in modification order. Nil: there is none.
    ///   - drains: whether the step waits until the thread's stores have reached memory.
    ///   - now: the present moment.
    func canRead(_ message: EventName, next: EventName?, _ thread: Int, drains: Bool, now: Int) -> Bool {
        guard let next else { return true }
        let earliest = drains ? now : earliest(thread, now)
        return moment(of: next) > earliest || hasWaited(message, thread, after: earliest)
    }

    /// Whether the message is a store of the thread that waited in its buffer at that moment.
    private func hasWaited(_ message: EventName, _ thread: Int, after earliest: Int) -> Bool {
        message != .initial && message.thread == thread && moment(of: message) > earliest
    }

    /// The thread has read the message, and stores nothing.
    mutating func noteLoad(_ message: EventName, _ thread: Int, now: Int) {
        guard waits[thread] else { return noteStep(thread, drains: false, now: now) }
        if hasWaited(message, thread, after: earliest[thread]) { return }
        earliest[thread] = max(earliest[thread], moment(of: message))
    }

    /// The thread's store reaches memory at this moment.
    ///
    /// - Parameter waits: whether it can have waited until now.
    mutating func noteStore(_ message: EventName, _ thread: Int, waits: Bool, now: Int) {
        moments[message.word] = now
        // It may have entered the buffer right after the thread's step before.
        if waits { self.waits[thread] = true } else { noteStep(thread, drains: true, now: now) }
    }

    /// The thread's write of a plain cell reaches memory at this moment, and can have waited until now. Only the claim can tell: a thread
    /// that could has a data race, or comes behind what drains the buffer.
    mutating func noteWrite(_ thread: Int) { waits[thread] = true }

    /// The thread takes a step that is no load, no store and no write.
    ///
    /// - Parameter drains: whether it waits until the thread's stores have reached memory.
    mutating func noteStep(_ thread: Int, drains: Bool, now: Int) {
        if drains { waits[thread] = false }
        if !waits[thread] { earliest[thread] = now }
    }

    // MARK: - Cycles

    /// Adds what decides which messages of an object the thread can read, as differences of moments.
    func hash(into hash: inout StateHash, _ messages: some Collection<EventName>, _ thread: Int, now: Int) {
        guard waits[thread] else { return }
        hash.add(now - earliest[thread])
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
