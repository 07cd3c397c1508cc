import Trace

/// The events that a controlled run records for the machine's steps and waits. The native runtime records the same for
/// the same operations.
extension MachineState {
    /// The event of the step that the thread has just taken, with its object and value. Nil if the step has no event,
    /// or the runtime records it itself.
    package func event(
        of operation: Operation, _ result: StepResult, by thread: Int
    ) -> (kind: EventKind, object: UInt32, value: Int)? {
        guard let (kind, value) = kindAndValue(of: operation, result) else { return nil }
        // An operation on a thread has its seat as its object, which traces do not show.
        return (kind, operation.kind.isOnThread ? 0 : operation.object, value)
    }

    private func kindAndValue(of operation: Operation, _ result: StepResult) -> (EventKind, Int)? {
        switch result.act.row.event {
        case .none: nil
        case .event(let kind, let source): (kind, value(source, operation, result))
        case .ofOperation: operation.kind.row.event.map { ($0, 0) }
        case .byResult(let kind, let other, let source):
            (result.value != 0 ? kind : other, value(source, operation, result))
        }
    }

    private func value(_ source: Act.RecordedEvent.Value, _ operation: Operation, _ result: StepResult) -> Int {
        switch source {
        case .zero: 0
        case .result: result.value
        case .argument: operation.a
        // The value written, if any: under a weaker model the object may hold a newer one.
        case .word: operation.word(after: result.value) ?? object(operation.object).value
        case .target: target(of: operation)
        case .order: Int(operation.orders.order.rawValue)
        }
    }

    /// The event of the step that the thread would take now, or, if it is blocked, of the step that it waits for. Nil
    /// if the step has no event, or its value is not known beforehand.
    package func nextEvent(of thread: Int) -> (kind: EventKind, object: UInt32, value: Int)? {
        let ruling = ruling(on: thread)
        let operation = threads[thread].operation
        if ruling.act == .start { return (.threadStart, 0, 0) }
        guard let event = event(of: operation, StepResult(.done, ruling.value, ruling.act), by: thread) else {
            return nil
        }
        // Another thread's write comes first, so the value is not known.
        let readsLater = ruling.isBlocked && (ruling.act == .read || ruling.act == .load)
        if ruling.act == .choose || readsLater { return (event.kind, event.object, Int(Event.noNumber)) }
        // The event's value is what the object holds after the step, which is not taken yet.
        return ruling.act == .update ? (event.kind, event.object, ruling.word) : event
    }

    /// The memory order of the thread's next step.
    package func nextOrder(of thread: Int) -> MemoryOrder {
        threads[thread].operation.memoryOrder(of: ruling(on: thread).act)
    }

    /// The event with which a blocked thread begins to wait. Nil: it does not wait, or its last step has recorded the
    /// wait.
    package func waitEvent(of thread: Int) -> (kind: EventKind, object: UInt32, value: Int)? {
        let ruling = ruling(on: thread)
        let operation = threads[thread].operation
        guard ruling.isBlocked, threads[thread].status != .running, threads[thread].status != .ended else { return nil }
        return switch ruling.act.row.need {
        case .mutex: (.mutexWait, operation.object, 0)
        case .mutexOfWait: (.mutexWait, Conditions.mutex(of: operation), 0)
        case .reading: (.readWait, operation.object, 0)
        case .writing: (.writeWait, operation.object, 0)
        case .permit: (.semaphoreWait, operation.object, 0)
        case .threadEnd: (.threadJoinWait, 0, target(of: operation))
        case .change: (operation.isSpinning ? .memorySpin : .memoryWait, operation.object, 0)
        // The first argument is the duration that the program gave. 0: it gave a deadline.
        case .time: (.threadSleep, 0, operation.a > 0 ? operation.a : operation.b - time)
        case .nothing, .signal: nil
        }
    }

    private func target(of operation: Operation) -> Int { Threads.target(of: operation, in: self) ?? 0 }
}
