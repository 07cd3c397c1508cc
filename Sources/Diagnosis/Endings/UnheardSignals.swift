import Trace

/// Signals that were sent while no thread was waiting. A condition does not remember them, so a thread that waits later
/// waits for nothing.
struct UnheardSignals {
    private var latest = PerObject<Event?>(nil)

    mutating func consume(_ event: Event, _ graph: WaitForGraph) {
        guard event.kind.effect.isSignal, graph.waiters(of: event.object).isEmpty else { return }
        latest[event.object] = event
    }

    /// The last signal of the condition that woke no thread.
    func latest(of condition: ObjectID) -> Event? { latest[condition] }
}
