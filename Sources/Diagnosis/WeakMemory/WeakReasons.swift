import Trace

/// Why a weaker memory model allows a step that does not read or write the newest value: nothing orders the newer write
/// before the step. A path of reads may seem to order them. The reason then names the memory order that would have.
package struct WeakReasons {
    /// An operation on an atomic, a fence, or another step that orders.
    struct Step {
        let number: Int
        let event: Event
        let weak: WeakStep?
        /// What the thread has seen, including this step.
        let clock: VectorClock
        /// The thread's own time. A clock that has reached it has seen the step.
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
    private var isWeak = false
    private(set) var hasStoreBuffers = false
    private var count = 0
    private var places: [Int: Int] = [:]
    private(set) var steps: [Step] = []
    /// The numbers of the events for which there is a reason.
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
            hasStoreBuffers = event.value == 1
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

    /// Whether the thread takes such a fence between two moments.
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
    /// Whether it is a step on an object that is sequentially consistent under each memory model.
    fileprivate var isSequential: Bool {
        let effect = kind.effect
        return lockChange != nil || effect == .takePermit || effect == .givePermit || effect.isSignal
            || effect.createsThread || effect == .joinThread
    }
}
