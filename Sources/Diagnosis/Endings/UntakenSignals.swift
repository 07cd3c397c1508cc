import Trace

/// Counts the signals and permits that were sent and not yet taken, as far as events show. Their receivers still count
/// as waiting, because they have not recorded yet that they continue, but they are about to.
struct UntakenSignals {
    /// By condition or semaphore.
    private var counts: [ObjectID: Int] = [:]

    mutating func consume(_ event: Event, _ graph: WaitForGraph) {
        let object = event.object
        let effect = event.kind.effect
        if case .signal(let toAll) = effect {
            let waiters = graph.waiters(of: object).count
            if toAll {
                counts[object] = max(count(of: object), waiters)
            } else if count(of: object) < waiters {
                add(1, object)
            }
        } else if effect == .givePermit {
            add(1, object)
        } else if effect == .unpark(isTimeout: true) {
            // The waiter has timed out. Signals only count for threads that still wait.
            counts[object] = min(count(of: object), graph.waiters(of: object).count)
        } else if (effect.isUnpark || effect == .takePermit) && count(of: object) > 0 {
            add(-1, object)
        }
    }

    /// The number of signals or permits that were sent but not taken.
    func count(of object: ObjectID) -> Int { counts[object] ?? 0 }

    private mutating func add(_ change: Int, _ object: ObjectID) { counts[object, default: 0] += change }
}
