import Trace

/// Says why a weaker memory model allows a step that does not read or write the newest value of an atomic: nothing
/// orders the newer write before the step. If a chain of reads seems to order them (`WeakPath`), the reason names the
/// memory order that is too weak.
package struct WeakReasons {
    /// An operation on an atomic, a fence, or another step that orders threads.
    struct Step {
        /// The event's number, from 0.
        let number: Int
        let event: Event
        /// Which write it reads, and which are newer, if it is an operation on an atomic.
        let weak: WeakStep?
        /// What the thread has seen, including this step.
        let clock: VectorClock
        /// For an operation on an atomic: the thread's own time. A clock that has reached it has seen the operation.
        let time: UInt32

        var thread: ThreadID { event.thread }

        /// Whether it empties its thread's store buffer.
        var drains: Bool {
            let effect = event.kind.effect
            if effect == .update || event.isSequential { return true }
            return effect == .write(.atomic) && event.order == .seqcst
                || effect == .fence && event.valueAsOrder == .seqcst
        }
    }

    private var weakSteps = WeakSteps()
    /// Whether the run follows a weaker memory model.
    private var isWeak = false
    /// Whether the memory model is tso.
    private(set) var hasStoreBuffers = false
    /// The number of events before the current one, which is the current one's number.
    private var count = 0
    /// The index in `steps` of each step, by the number of its event.
    private var places: [Int: Int] = [:]
    private(set) var steps: [Step] = []
    /// The numbers of the steps that do not read or write the newest value.
    package private(set) var numbers: [Int] = []

    package init() {}

    /// The reasons of a whole run.
    package init(_ trace: TraceDocument) {
        var run = RunState()
        for event in trace.events {
            run.consume(event)
            consume(event, run)
        }
    }

    /// - Parameter run: the run's state after the event.
    package mutating func consume(_ event: Event, _ run: RunState) {
        defer { count += 1 }
        if event.kind.effect == .weaken {
            isWeak = true
            hasStoreBuffers = event.value == Int64(ModelNumber.tso)
        }
        weakSteps.consume(event)
        guard isWeak else { return }
        guard event.kind.isOfAtomic || event.kind.effect == .fence || event.isSequential else { return }
        let releases = event.kind.effect.isWrite && event.order.releases
        let time = run.order.time(of: event.thread)
        places[count] = steps.count
        if weakSteps.step?.isOutOfOrder == true { numbers.append(count) }
        steps.append(
            Step(
                number: count, event: event, weak: weakSteps.step, clock: run.order.seen(by: event.thread),
                // A write that releases has already advanced its thread's time.
                time: releases ? time - 1 : time))
    }

    func step(_ number: Int) -> Step? { places[number].map { steps[$0] } }

    /// Whether the second step has seen the first.
    func has(_ step: Step, seen other: Step) -> Bool {
        if step.thread == other.thread { return other.number < step.number }
        return step.clock[other.thread] >= other.time
    }

    /// Whether the thread has a fence, among the events with these numbers, that fulfills the condition.
    func hasFence(of thread: ThreadID, in numbers: Range<Int>, where isSuch: (Step, MemoryOrder) -> Bool) -> Bool {
        steps.contains { step in
            guard step.thread == thread, numbers.contains(step.number), let order = step.event.valueAsOrder else {
                return false
            }
            return isSuch(step, order)
        }
    }
}

extension Event {
    /// Whether it is a step on something other than an atomic, such as a mutex or a thread. Such steps are sequentially
    /// consistent under each memory model.
    fileprivate var isSequential: Bool {
        let effect = kind.effect
        return lockChange != nil || effect == .takePermit || effect == .givePermit || effect.isSignal
            || effect.createsThread || effect == .joinThread
    }
}
