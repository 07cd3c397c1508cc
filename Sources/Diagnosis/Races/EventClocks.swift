import Trace

/// Vector clocks that count events: for each thread, the number of its events that are ordered before an event, or are
/// that event. `HappensBefore` defines the order.
package struct EventClocks {
    private var order = HappensBefore(ticksByHand: true)

    package init() {}

    /// - Parameter counts: whether the event is counted. An event that is not can still order others.
    package mutating func consume(_ event: Event, counts: Bool) {
        if counts { order.tick(event.thread) }
        order.consume(event)
    }

    /// The thread's clock after its last event, without the threads of which it has seen nothing.
    package mutating func clock(of thread: ThreadID) -> [(thread: ThreadID, time: UInt32)] {
        order.clock(of: thread).seen
    }
}
