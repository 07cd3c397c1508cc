import Trace

/// Signals and permits that were sent, but have not been seen to be taken. Their receivers count as waiting until they
/// have continued, but are about to.
struct UntakenSignals {
    private var counts: [ObjectID: Int] = [:]

    /// - Parameter graph: the graph before the event.
    mutating func consume(_ event: Event, _ graph: WaitForGraph) {
        let object = event.object
        switch event.kind.effect {
        case .signal(toAll: false): if count(of: object) < graph.waiters(of: object).count { add(1, object) }
        case .signal(toAll: true): counts[object] = max(count(of: object), graph.waiters(of: object).count)
        case .givePermit: add(1, object)
        case .unpark(isTimeout: false), .takePermit: if count(of: object) > 0 { add(-1, object) }
        // A signal is for a waiting thread, and this one no longer waits.
        case .unpark(isTimeout: true):
            counts[object] = min(count(of: object), max(0, graph.waiters(of: object).count - 1))
        default: break
        }
    }

    /// The number of signals or permits that were sent but not taken.
    func count(of object: ObjectID) -> Int { counts[object] ?? 0 }

    private mutating func add(_ change: Int, _ object: ObjectID) { counts[object, default: 0] += change }
}
