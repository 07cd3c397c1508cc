import Trace

/// What each thread has read since it last took a lock, was woken, or changed something. If it waits now, that is its
/// predicate, as far as events show.
struct Looks {
    struct Look: Equatable {
        var object: ObjectID
        /// The value that it read.
        var value: Int64
        var site: SiteID
        /// The event's number in the run.
        var number: Int
    }

    private var looks = PerThread<[Look]>([])

    /// Only the beginning of a longer predicate is kept.
    private static let limit = 16

    func looks(of thread: ThreadID) -> [Look] { looks[thread] }

    mutating func consume(_ event: Event, number: Int) {
        let effect = event.kind.effect
        if effect.isRead {
            guard looks[event.thread].count < Self.limit else { return }
            looks[event.thread].append(Look(object: event.object, value: event.value, site: event.site, number: number))
        } else if effect.isWrite || (event.lockChange != nil && effect != .park) {
            if !looks[event.thread].isEmpty { looks[event.thread].removeAll(keepingCapacity: true) }
        }
    }
}
