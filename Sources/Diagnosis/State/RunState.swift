import Trace

/// The state of a run at one moment, as far as its events show: which threads hold which locks, which wait for which
/// others, and what each has seen of the others.
///
/// The machine decides what may happen in a controlled run; this state follows what did happen, on either runtime. It
/// consumes each event once, and everything that reads events (detectors, views, reports) asks it. After a controlled
/// run, the outcome that follows from the events is compared with the machine's verdict (`Verdict.disagreement`).
package struct RunState {
    /// Which threads hold locks, and which wait for which others. Unchanged after the end of the run.
    package private(set) var graph = WaitForGraph()
    /// What each thread has seen of the others.
    private(set) var order = HappensBefore()
    /// What each thread has read: its predicate, if it waits now.
    private var looks = Looks()
    /// The change that the last event made to the locks of its thread.
    package private(set) var heldChange = HeldLocks.Change.none
    /// The last event of each thread before the end of the run, not counting asides (`EventKind.isAside`) and
    /// `runMessage`.
    private(set) var lastEvents = PerThread<Event?>(nil)
    /// The number of events so far.
    package private(set) var count = 0
    private let followsOrder: Bool

    /// - Parameter followsOrder: whether clocks and reads are followed. If only locks and waits are needed, a state
    ///   without them is cheap to copy.
    package init(followsOrder: Bool = true) { self.followsOrder = followsOrder }

    /// Whether an event has ended the run. What threads do after that is not the program's behavior.
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

    /// The thread's locks, in the order in which it took them.
    package func locks(of thread: ThreadID) -> [Hold] { graph.locks(of: thread) }

    /// What the thread has read since it last took or released a lock, was woken, or wrote something.
    func looks(of thread: ThreadID) -> [Looks.Look] { looks.looks(of: thread) }
}
