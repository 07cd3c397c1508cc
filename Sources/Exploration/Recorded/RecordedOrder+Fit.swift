import Machine
import Trace

/// Whether a thread's next step matches its record.
extension RecordedOrder {
    enum Fit {
        case no
        /// The step records the recorded event.
        case event
        /// The step records no event; the recorded one comes later.
        case nothing

        var isPossible: Bool { self != .no }
    }

    func fit(_ head: RecordedStep, _ state: MachineState) -> Fit {
        guard let thread = names.thread(head.event.thread), state.isEnabled(thread) else { return .no }
        let operation = state.operation(of: thread)
        if operation.kind == .start { return head.effect == .startThread ? .event : .no }
        if operation.kind == .spawn { return head.effect.createsThread ? .nothing : .no }
        if let event = eventOfStep(thread, head, state) { return matches(event, head) ? .event : .no }
        if operation.kind == .wait { return head.effect.isUnpark ? .nothing : .no }
        if operation.kind.isWriteLock {
            let arrives = state.ruling(on: thread).act == .queue
            return head.effect == .wait(.lock(.writing)) && arrives ? .event : .no
        }
        return operation.kind.mayFindAlive && head.effect == .joinThread ? .no : .nothing
    }

    /// Whether the step must not be delayed: what it finds may soon change, and nothing else would notice.
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
        let way = operation.kind == .choose ? Int(exactly: head.event.value) ?? 0 : 0
        return trial.event(of: operation, trial.step(thread, alternative: way), by: thread)
    }

    private func matches(
        _ event: (kind: EventKind, object: UInt32, value: Int), _ head: RecordedStep
    ) -> Bool {
        guard event.kind == head.kind, names.mayBe(event.object, head.event.object) else { return false }
        switch event.kind.meaning {
        case .thread: return names.recorded(event.value) == head.event.valueAsThread
        case .object: return head.event.valueAsObject.map { names.mayBe(UInt32(event.value), $0) } ?? false
        default: return !event.kind.effect.hasProgramValue || event.value == Int(head.event.value)
        }
    }

    /// Why the step does not fit.
    func reason(_ head: RecordedStep, _ state: MachineState) -> Departure.Reason {
        guard let thread = names.thread(head.event.thread), !state.hasEnded(thread) else { return .noThread }
        guard state.isEnabled(thread) else { return .heldUp }
        let operation = state.operation(of: thread)
        guard operation.kind != .start, let event = eventOfStep(thread, head, state) else { return .untold }
        if event.kind == head.kind && names.mayBe(event.object, head.event.object)
            && event.kind.effect.hasProgramValue
        {
            return .value(event.value, recorded: Int(head.event.value))
        }
        return .other(event.kind, names.recorded(event.object))
    }
}
