import Machine
import Trace

/// Decides whether a thread's next step matches its record, the events that the recorded run has of the thread.
extension RecordedOrder {
    enum Fit {
        /// The thread cannot step, or its step would record another event.
        case no
        /// The step records the recorded event.
        case event
        /// The step records no event; the recorded one comes later.
        case nothing

        var isPossible: Bool { self != .no }
    }

    /// Whether a thread's next step matches the thread's next recorded step, `head`.
    func fit(_ head: RecordedStep, _ state: MachineState) -> Fit {
        guard let thread = names.thread(head.event.thread), state.isEnabled(thread) else { return .no }
        let operation = state.operation(of: thread)
        if operation.kind == .start { return head.effect == .startThread ? .event : .no }
        // The creation is matched when the new thread has appeared (`RecordedOrder.adoptThreads`).
        if operation.kind == .spawn { return head.effect.createsThread ? .nothing : .no }
        if let event = eventOfStep(thread, head, state) { return matches(event, head) ? .event : .no }
        // Leaving a wait without a signal records nothing. The end of the wait is recorded when the thread has locked
        // the mutex again.
        if operation.kind == .wait { return head.effect.isUnpark ? .nothing : .no }
        if operation.kind.isWriteLock {
            // Alternative 1 of a wait with a time limit is that it does not pass now.
            let way = state.alternatives(of: thread) > 1 ? 1 : 0
            let arrives = state.ruling(on: thread, alternative: way).act == .queue
            return head.effect == .wait(.lock(.writing)) && arrives ? .event : .no
        }
        // A join that may give up records nothing while the thread is alive.
        return operation.kind.mayFindAlive && head.effect == .joinThread ? .no : .nothing
    }

    /// Whether the step must not be delayed, because what it finds may change soon and no event would show that.
    func isDueAtOnce(_ head: RecordedStep, _ state: MachineState) -> Bool {
        guard let thread = names.thread(head.event.thread) else { return false }
        let kind = state.operation(of: thread).kind
        if kind.mayFindAlive { return fit(head, state) == .nothing }
        if kind == .wait {
            return head.effect == .unpark(isTimeout: true) && state.isWaiting(thread) && fit(head, state) == .nothing
        }
        return head.effect.isRefusal && fit(head, state) == .event
    }

    /// The event that the thread's step would record now.
    private func eventOfStep(
        _ thread: Int, _ head: RecordedStep, _ state: MachineState
    ) -> (kind: EventKind, object: UInt32, value: Int)? {
        let operation = state.operation(of: thread)
        state.encode(into: &before)
        trial.decode(before)
        let way =
            operation.kind == .choose
            ? Int(exactly: head.event.value) ?? 0
            : state.alternatives(of: thread) > 1 && operation.kind.hasDeadline ? wayInTime(head, operation) : 0
        return trial.event(of: operation, trial.step(thread, alternative: way), by: thread)
    }

    /// The alternative of a step with a time limit: 1 if the record shows that the limit did not pass first, otherwise
    /// 0.
    func wayInTime(_ head: RecordedStep, _ operation: Operation) -> Int {
        let isInTime =
            operation.kind.isWriteLock
            ? head.effect == .wait(.lock(.writing)) : head.effect == .unpark(isTimeout: false)
        return isInTime ? 1 : 0
    }

    private func matches(
        _ event: (kind: EventKind, object: UInt32, value: Int), _ head: RecordedStep
    ) -> Bool {
        guard event.kind == head.kind.ofMachine, names.mayBe(event.object, head.event.object) else { return false }
        // The machine does not know what is in a list.
        if head.kind.isOfList { return true }
        switch event.kind.meaning {
        case .thread: return names.recorded(event.value) == head.event.valueAsThread
        case .object: return head.event.valueAsObject.map { names.mayBe(UInt32(event.value), $0) } ?? false
        case .none, .number, .result, .ticket, .signal, .text, .nanoseconds, .bytes, .misuse, .order:
            return !event.kind.effect.hasProgramValue || event.value == Int(head.event.value)
        }
    }

    /// Why the thread's next step does not match its record.
    func reason(_ head: RecordedStep, _ state: MachineState) -> Departure.Reason {
        guard let thread = names.thread(head.event.thread), !state.hasEnded(thread) else { return .noThread }
        guard state.isEnabled(thread) else { return .heldUp }
        let operation = state.operation(of: thread)
        guard operation.kind != .start, let event = eventOfStep(thread, head, state) else { return .untold }
        if event.kind == head.kind.ofMachine && names.mayBe(event.object, head.event.object)
            && event.kind.effect.hasProgramValue
        {
            return .value(event.value, recorded: Int(head.event.value))
        }
        return .other(event.kind, names.recorded(event.object))
    }
}

/// Tracks which threads wait on which condition in a recorded run, and which signal woke them.
struct WaitBooks {
    private enum End: Equatable {
        /// The wait ended with the wake-up at this place of the record.
        case wake(Int)
        case timeout
        /// The record ends before the wait does.
        case never
    }

    private struct Waiter {
        let thread: ThreadID
        /// The index of the wait among the recorded steps.
        let step: Int
        let mutex: ObjectID?
        let end: End
        var wasSignaled = false
    }

    /// By condition: the threads in a recorded wait.
    private var waiters: [ObjectID: [Waiter]] = [:]
    /// By mutex: the index of the step that acquired it last.
    private var lastAcquisition: [ObjectID: Int] = [:]
    /// The number of waits so far that ended without a signal.
    private(set) var spuriousWakeups = 0

    /// A wait begins, with this index among the recorded steps.
    ///
    /// - Parameter next: the thread's next step, which ends the wait. Nil: the record ends before that.
    mutating func begin(_ wait: RecordedStep, _ next: RecordedStep?, at step: Int) {
        let end: End = next.map { $0.effect == .unpark(isTimeout: false) ? .wake($0.place) : .timeout } ?? .never
        waiters[wait.event.object, default: []].append(
            Waiter(thread: wait.event.thread, step: step, mutex: wait.event.valueAsObject, end: end))
    }

    /// A wait ends with this step.
    mutating func end(_ step: RecordedStep, at index: Int) {
        if let mutex = step.event.valueAsObject { noteAcquisition(of: mutex, at: index) }
        guard let place = waiters[step.event.object]?.firstIndex(where: { $0.thread == step.event.thread }),
            let waiter = waiters[step.event.object]?.remove(at: place)
        else { return }
        if step.effect == .unpark(isTimeout: false) && !waiter.wasSignaled { spuriousWakeups += 1 }
    }

    mutating func noteAcquisition(of mutex: ObjectID, at step: Int) { lastAcquisition[mutex] = step }

    /// Assigns a signal to the waits that it ended.
    ///
    /// - Returns: the waits that must have begun after the signal, although they were recorded before it, because it
    ///   did not wake them. They never end in the record, and nothing shows that they had begun (`hasBegun`).
    mutating func signal(_ condition: ObjectID, toAll: Bool) -> [Int] {
        guard var present = waiters[condition] else { return [] }
        defer { waiters[condition] = present }
        var woken = present.indices.filter {
            if case .wake = present[$0].end { !present[$0].wasSignaled } else { false }
        }
        // A signal to one thread woke the waiter whose wake-up is recorded first.
        if !toAll, let first = woken.min(by: { Self.wakesEarlier(present[$0], present[$1]) }) { woken = [first] }
        for index in woken { present[index].wasSignaled = true }
        if !toAll && !woken.isEmpty { return [] }
        return present.filter { $0.end == .never && !hasBegun($0) }.map(\.step)
    }

    private static func wakesEarlier(_ a: Waiter, _ b: Waiter) -> Bool {
        guard case .wake(let place) = a.end, case .wake(let other) = b.end else { return false }
        return place < other
    }

    /// Whether another thread has acquired the waiter's mutex since, which shows that the wait has begun.
    private func hasBegun(_ waiter: Waiter) -> Bool {
        guard let mutex = waiter.mutex else { return true }
        return (lastAcquisition[mutex] ?? -1) > waiter.step
    }
}
