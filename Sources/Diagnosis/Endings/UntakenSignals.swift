import Trace

/// Signals and permits that were sent, and that nobody has been seen to take. Whoever they are for counts as waiting until it
/// has gone on, but it is about to.
struct UntakenSignals {
    private var counts: [ObjectID: Int] = [:]

    /// - Parameter graph: as it stood before the event.
    mutating func consume(_ event: Event, _ graph: WaitForGraph) {
        let object = event.object
        switch event.kind.effect {
        case .signal(toAll: false): if count(of: object) < graph.waiters(of: object).count { add(1, object) }
        case .signal(toAll: true): counts[object] = max(count(of: object), graph.waiters(of: object).count)
        case .givePermit: add(1, object)
        case .unpark(isTimeout: false), .takePermit: if count(of: object) > 0 { add(-1, object) }
        // A signal is for a thread that waits. This one waits no longer.
        case .unpark(isTimeout: true):
            counts[object] = min(count(of: object), max(0, graph.waiters(of: object).count - 1))
        default: break
        }
    }

    /// How many were sent to the condition or the semaphore and not taken.
    func count(of object: ObjectID) -> Int { counts[object] ?? 0 }

    private mutating func add(_ change: Int, _ object: ObjectID) { counts[object, default: 0] += change }
}
