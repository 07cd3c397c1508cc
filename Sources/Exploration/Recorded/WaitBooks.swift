import Trace

/// Tracks which threads wait on which condition in a recorded run, and which signal woke them.
struct WaitBooks {
    private enum End: Equatable {
        /// With a wake-up, at this place.
        case wake(Int)
        case timeout
        /// The record ends before the wait.
        case never
    }

    private struct Waiter {
        let thread: ThreadID
        /// The wait, as the caller numbers steps.
        let step: Int
        let mutex: ObjectID?
        let end: End
        var wasSignalled = false
    }

    private var waiters: [ObjectID: [Waiter]] = [:]
    private var lastAcquisition: [ObjectID: Int] = [:]
    /// The number of waits that have ended without a signal so far.
    private(set) var spuriousWakeups = 0

    /// - Parameter next: the thread's next step, which ends the wait.
    mutating func begin(_ wait: RecordedStep, _ next: RecordedStep?, at step: Int) {
        let end: End = next.map { $0.effect == .unpark(isTimeout: false) ? .wake($0.place) : .timeout } ?? .never
        waiters[wait.event.object, default: []].append(
            Waiter(thread: wait.event.thread, step: step, mutex: wait.event.valueAsObject, end: end))
    }

    mutating func end(_ step: RecordedStep, at index: Int) {
        if let mutex = step.event.valueAsObject { noteAcquisition(of: mutex, at: index) }
        guard let place = waiters[step.event.object]?.firstIndex(where: { $0.thread == step.event.thread }),
            let waiter = waiters[step.event.object]?.remove(at: place)
        else { return }
        if step.effect == .unpark(isTimeout: false) && !waiter.wasSignalled { spuriousWakeups += 1 }
    }

    mutating func noteAcquisition(of mutex: ObjectID, at step: Int) { lastAcquisition[mutex] = step }

    /// Assigns a signal to the waits that it ended.
    ///
    /// - Returns: the waits that cannot have begun by then, although they were recorded: no signal woke them, and no
    ///   thread has had their mutex since.
    mutating func signal(_ condition: ObjectID, toAll: Bool) -> [Int] {
        guard var present = waiters[condition] else { return [] }
        defer { waiters[condition] = present }
        var woken = present.indices.filter {
            if case .wake = present[$0].end { !present[$0].wasSignalled } else { false }
        }
        if !toAll, let first = woken.min(by: { Self.wakesEarlier(present[$0], present[$1]) }) { woken = [first] }
        for index in woken { present[index].wasSignalled = true }
        if !toAll && !woken.isEmpty { return [] }
        return present.filter { $0.end == .never && !hasBegun($0) }.map(\.step)
    }

    private static func wakesEarlier(_ a: Waiter, _ b: Waiter) -> Bool {
        guard case .wake(let place) = a.end, case .wake(let other) = b.end else { return false }
        return place < other
    }

    /// Whether a thread has had the mutex since the waiter, which held it until its wait began.
    private func hasBegun(_ waiter: Waiter) -> Bool {
        guard let mutex = waiter.mutex else { return true }
        return (lastAcquisition[mutex] ?? -1) > waiter.step
    }
}
