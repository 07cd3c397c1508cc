import Trace

/// Vector clocks for reports: after an event, the clock of its thread says how many events of each thread precede it or
/// are that event itself. `HappensBefore` defines the order.
package struct EventClocks {
    private var order = HappensBefore(ticksByHand: true)

    package init() {}

    /// - Parameter counts: whether the event is counted. An event that is not counted may still order other events.
    package mutating func consume(_ event: Event, counts: Bool) {
        if counts { order.tick(event.thread) }
        order.consume(event)
    }

    /// The thread's clock after its last event, without the threads of which it has seen nothing.
    package mutating func clock(of thread: ThreadID) -> [(thread: ThreadID, time: UInt32)] {
        order.clock(of: thread).seen
    }
}
