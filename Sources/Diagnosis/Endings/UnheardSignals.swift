import Trace

/// Signals that were sent while nobody waited. A condition remembers none of them, so who waits later waits in vain.
struct UnheardSignals {
    private var latest = PerObject<Event?>(nil)

    /// - Parameter graph: as it stood before the event.
    mutating func consume(_ event: Event, _ graph: WaitForGraph) {
        guard case .signal = event.kind.effect, graph.waiters(of: event.object).isEmpty else { return }
        latest[event.object] = event
    }

    /// The last signal of the condition that nobody heard.
    func latest(of condition: ObjectID) -> Event? { latest[condition] }
}
