import Trace

extension RunLoop {
    /// Lets the loop's thread make a call, from any thread (guide: Cocoa Perform Selector Sources). This wakes the
    /// loop, which makes all calls for its current modes in one pass, in order. A call counts as an input source: after
    /// it, the run ends. If the loop is not running, the call waits for the next run.
    ///
    /// - Parameters:
    ///   - order: calls are made in ascending order; calls of equal order, in the order of their addition.
    ///   - waitUntilDone: whether to wait until the call has been made. On the loop's own thread it is made at once.
    ///   - modes: the modes in which it can be made.
    /// - Returns: the call, to cancel it.
    @discardableResult
    public func perform(
        order: Int = 0, waitUntilDone: Bool = false, inModes modes: [Mode] = [.default], file: StaticString = #fileID,
        line: UInt = #line, _ body: @escaping @Sendable () throws -> Void
    ) throws -> Performer {
        let site = SourceSite(file, line)
        guard waitUntilDone else { return try queue(order, modes, nil, site, body) }
        guard handle.currentThread != owner else {
            let performer = Performer(order: order, modes: modes, done: nil, body)
            _ = try perform(performer, at: site)
            return performer
        }
        return try queue(order, modes, Part(.condition, "a call to \(name)", at: site), site, body)
    }

    /// Lets the calling thread make a call in a later run of its own loop, after the delay, with a timer. Without a
    /// delay, the call is made in the next pass.
    ///
    /// - Returns: the timer. Invalidate it to cancel the call.
    /// - Throws: `Misuse` `wrong-thread`, if the loop belongs to another thread.
    @discardableResult
    public func perform(
        after delay: Duration, inModes modes: [Mode] = [.default], file: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable () throws -> Void
    ) throws -> Timer {
        let timer = Timer("delayed call", fire: Instant.now + delay, file: file, line: line) { _ in try body() }
        for mode in modes { try add(timer, to: mode, file: file, line: line) }
        return timer
    }

    /// Cancels a call that has not begun. A thread that waits for it continues.
    ///
    /// - Throws: `Misuse` `wrong-thread`, if the loop belongs to another thread.
    public func cancel(_ performer: Performer, file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        try checkThread(site)
        performer.isCancelled.value = true
        try gate.withLock(at: site) { requests.value.performers.removeAll { $0 === performer } }
        try finish(performer, at: site)
    }

    /// Cancels all calls that are waiting in this loop.
    ///
    /// - Parameter mode: the mode whose calls are cancelled. Nil: every mode.
    /// - Throws: `Misuse` `wrong-thread`, if the loop belongs to another thread.
    public func cancelPerforms(
        inMode mode: Mode? = nil, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        let site = SourceSite(file, line)
        try checkThread(site)
        let waiting = try gate.withLock(at: site) { requests.value.performers }
        for performer in waiting where mode.map(performer.modes.contains) ?? true {
            try cancel(performer, file: file, line: line)
        }
    }

    private func queue(
        _ order: Int, _ modes: [Mode], _ done: Part?, _ site: SourceSite,
        _ body: @escaping @Sendable () throws -> Void
    ) throws -> Performer {
        let performer = Performer(order: order, modes: modes, done: done, body)
        return try gate.withLock(at: site) {
            requests.value.add(performer)
            handle.record(.performQueue, at: site)
            try awake.signal(at: site)
            if let done {
                while !performer.isDone.value { _ = try done.wait(with: gate, at: site) }
            }
            return performer
        }
    }

    /// Makes the call. Returns false if it has been cancelled.
    func perform(_ performer: Performer, at site: SourceSite) throws -> Bool {
        guard !performer.isCancelled.value else { return false }
        handle.record(.performCall, at: site)
        do { try performer.body() } catch {
            try finish(performer, at: site)
            throw error
        }
        try finish(performer, at: site)
        return true
    }

    /// Lets the thread that waits for the call continue, if there is one.
    private func finish(_ performer: Performer, at site: SourceSite) throws {
        guard let done = performer.done else { return }
        try gate.withLock(at: site) {
            performer.isDone.value = true
            try done.signal(at: site)
        }
    }
}

// MARK: - Its remarks in traces

extension Remark {
    fileprivate static let performCall = Remark(
        "perform.call", "make a call of {object}",
        says: "The run loop's thread makes a queued call")
}

/// A call that waits to be made by a loop: see `RunLoop.perform`. Keep it to be able to cancel the call.
public final class Performer: Sendable {
    let order: Int
    let modes: [RunLoop.Mode]
    let body: @Sendable () throws -> Void
    /// The condition on which the caller waits until the call has been made. Nil: the caller does not wait.
    let done: Part?
    /// Accessed only by the loop's own thread.
    let isCancelled = Guarded(false)
    /// Accessed only with the loop's lock held.
    let isDone = Guarded(false)

    init(order: Int, modes: [RunLoop.Mode], done: Part?, _ body: @escaping @Sendable () throws -> Void) {
        self.order = order
        self.modes = modes
        self.done = done
        self.body = body
    }
}

/// Requests of other threads to a loop. Accessed only with the loop's lock held.
struct LoopRequests {
    var isWoken = false
    var isStopped = false
    /// The calls that have not begun, in the order in which they will be made.
    var performers: [Performer] = []
    /// One entry for each message that has arrived at a port of the loop and has not been handled, in order.
    var arrivals: [Port] = []

    /// Inserts the call after all calls of the same or a lower order.
    mutating func add(_ performer: Performer) {
        let index = performers.firstIndex { $0.order > performer.order } ?? performers.endIndex
        performers.insert(performer, at: index)
    }

    /// Puts back calls that were taken, before all others of their order.
    mutating func putBack(_ taken: ArraySlice<Performer>) {
        for performer in taken.reversed() where !performer.isCancelled.value {
            let index = performers.firstIndex { $0.order >= performer.order } ?? performers.endIndex
            performers.insert(performer, at: index)
        }
    }

    /// Removes and returns the calls for these modes.
    mutating func takePerformers(for modes: [RunLoop.Mode]) -> [Performer] {
        let taken = performers.filter { $0.isFor(modes) }
        performers.removeAll { $0.isFor(modes) }
        return taken
    }

    /// Removes and returns the port of the first message that arrived at one of these.
    mutating func takeArrival(at ports: [Port]) -> Port? {
        guard let index = arrivals.firstIndex(where: { port in ports.contains { $0 === port } }) else { return nil }
        return arrivals.remove(at: index)
    }

    /// Whether there is something to do for a loop that sleeps in these modes and watches these ports.
    func concern(_ modes: [RunLoop.Mode], _ ports: [Port]) -> Bool {
        isWoken || isStopped || performers.contains { $0.isFor(modes) }
            || arrivals.contains { port in ports.contains { $0 === port } }
    }
}

extension Performer {
    func isFor(_ modes: [RunLoop.Mode]) -> Bool { self.modes.contains(where: modes.contains) }
}
