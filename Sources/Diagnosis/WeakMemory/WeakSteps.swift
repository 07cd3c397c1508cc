import Trace

/// An operation on an atomic under a weaker memory model: which write it reads, and which writes are newer. The events
/// of a run are numbered from 0.
package struct WeakStep: Equatable, Sendable {
    /// The number of the write whose value the operation reads. Nil if it reads the initial value, or nothing.
    package var source: Int?
    /// The numbers of the writes that are newer than the one that it reads or makes, in modification order.
    package var newer: [Int]

    /// Whether the operation reads or writes an outdated value: sequential consistency does not allow that in this
    /// order of steps.
    package var isOutOfOrder: Bool { !newer.isEmpty }
}

/// Finds out which write each operation on an atomic reads, and the place of each write in its atomic's modification
/// order.
package struct WeakSteps {
    /// By atomic: the number of each write, or nil for the initial value. The whole is nil if no memory model is
    /// followed.
    private var orders: ModificationOrders<Int?>?
    private var count = 0
    /// The operation of the last event. Nil if the event is not an operation on an atomic, or no memory model is
    /// followed.
    package private(set) var step: WeakStep?

    /// - Parameter isStrong: whether to follow a run without a weaker memory model too. Each read then sees the newest
    ///   write.
    package init(isStrong: Bool = false) { orders = isStrong ? ModificationOrders(initial: nil) : nil }

    package mutating func consume(_ event: Event) {
        defer { count += 1 }
        step = nil
        if event.kind.effect == .weaken { orders = ModificationOrders(initial: nil) }
        if event.kind.effect == .reorder { orders?.note(event) }
        guard orders != nil, event.kind.isOfAtomic else { return }
        let newer = orders!.takeNewer(event)
        let effect = event.kind.effect
        let writes = orders![event.object]
        step = WeakStep(
            source: effect == .write(.atomic) ? nil : orders!.source(event.object, newer: newer),
            newer: writes.suffix(newer).compactMap { $0 })
        if effect.isWrite { orders!.insert(count, event.object, newer: newer) }
    }

    /// The writes of the atomic so far, in modification order, without its initial value.
    package func writes(of object: ObjectID) -> [Int] { orders.map { $0[object].compactMap { $0 } } ?? [] }

    /// The steps that did not read the newest value, or whose write was not the newest, by the numbers of their events.
    package static func outOfOrder(in trace: TraceDocument) -> [Int: WeakStep] {
        var steps = WeakSteps()
        var found: [Int: WeakStep] = [:]
        for (index, event) in trace.events.enumerated() {
            steps.consume(event)
            if let step = steps.step, step.isOutOfOrder { found[index] = step }
        }
        return found
    }
}
