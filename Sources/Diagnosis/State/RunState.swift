import Trace

/// What is so at one moment of a run, as far as its events show it: which threads hold which locks, which wait for which
/// others, and what each has seen of the others.
///
/// This is one of two interpreters. The machine decides what may happen; this follows what did happen. It consumes each
/// event once, and everything that reads events asks it: detectors, views, reports. In a controlled run the two are
/// compared (`Verdict.disagreement`).
package struct RunState {
    /// Which threads hold locks, and which wait for which others. It no longer changes once the run is over.
    package private(set) var graph = WaitForGraph()
    /// What each thread has seen of the others.
    private(set) var order = HappensBefore()
    /// What each thread has read, which is its predicate if it waits now.
    private var looks = Looks()
    /// What the last event changed in the locks that its thread holds.
    package private(set) var heldChange = HeldLocks.Change.none
    /// The last event of each thread before the end of the run.
    private(set) var lastEvents = PerThread<Event?>(nil)
    /// How many events there have been.
    package private(set) var count = 0
    private let followsOrder: Bool

    /// - Parameter followsOrder: false if only locks and waits are asked for: a state without clocks and reads is cheap to
    ///   copy.
    package init(followsOrder: Bool = true) { self.followsOrder = followsOrder }

    /// Whether an event has ended the run. What threads do afterwards is not the program's behavior.
    package var isOver: Bool { graph.ending != nil }

    package mutating func consume(_ event: Event) {
        count += 1
        heldChange = graph.consume(event)
        if graph.ending != nil { return }
        if !event.kind.isAside && event.kind != .runMessage { lastEvents[event.thread] = event }
        guard followsOrder else { return }
        order.consume(event)
        looks.consume(event, number: count)
    }

    /// In the order in which the thread took them.
    package func locks(of thread: ThreadID) -> [Hold] { graph.locks(of: thread) }

    /// What the thread has read since it last took a lock, was woken, or changed something.
    func looks(of thread: ThreadID) -> [Looks.Look] { looks.looks(of: thread) }
}
