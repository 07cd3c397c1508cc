import Trace

/// Why a weaker memory model allows a step that does not read or write the newest value: nothing orders the newer write
/// before the step. What has been read since may seem to order them, and does not: the reason says by which order it
/// would.
package struct WeakReasons {
    /// An operation on an atomic, a fence, or something else that orders.
    struct Step {
        let number: Int
        let event: Event
        let weak: WeakStep?
        /// What the thread has seen with it.
        let clock: VectorClock
        /// A thread that has seen this much of the step's thread has seen the step.
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
    /// Whether the model is tso.
    private(set) var hasStoreBuffers = false
    private var count = 0
    private var places: [Int: Int] = [:]
    /// In the order of the run.
    private(set) var steps: [Step] = []
    /// The numbers of the events of which there is a reason.
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
                // A write that releases begins a new time of its thread.
                time: releases ? time - 1 : time))
    }

    func step(_ number: Int) -> Step? { places[number].map { steps[$0] } }

    /// Whether the second step has seen the first.
    func has(_ step: Step, seen other: Step) -> Bool {
        if step.thread == other.thread { return other.number < step.number }
        return step.clock[other.thread] >= other.time
    }

    /// Whether a fence of this kind is between two moments of a thread.
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
    /// Whether it is a step on an object that is sequentially consistent by itself, under each memory model.
    fileprivate var isSequential: Bool {
        let effect = kind.effect
        return lockChange != nil || effect == .takePermit || effect == .givePermit || effect.isSignal
            || effect.createsThread || effect == .joinThread
    }
}
