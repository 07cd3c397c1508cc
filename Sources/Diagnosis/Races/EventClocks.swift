import Trace

/// Vector clocks that count events: for each thread, how many of its events are ordered before or are the present one.
/// What orders events is `HappensBefore`.
package struct EventClocks {
    private var order = HappensBefore(ticksByHand: true)

    package init() {}

    /// - Parameter counts: whether the event counts. One that does not can still order others.
    package mutating func consume(_ event: Event, counts: Bool) {
        if counts { order.tick(event.thread) }
        order.consume(event)
    }

    /// The thread's clock after its last event, without the threads of which it has seen nothing.
    package mutating func clock(of thread: ThreadID) -> [(thread: ThreadID, time: UInt32)] {
        order.clock(of: thread).seen
    }
}
