import Trace

/// What each thread has read since it last took or released a lock, was woken, or wrote something. If the thread waits
/// now, these reads are its test of the predicate, as far as events show.
struct Looks {
    /// A read of an atomic or a cell.
    struct Look: Equatable {
        var object: ObjectID
        /// The value that was read.
        var value: Int64
        var site: SiteID
        /// The event's number in the run, from 1.
        var number: Int
    }

    private var looks = PerThread<[Look]>([])

    /// The maximum number of reads that are kept. Of a longer predicate, only the beginning is known.
    private static let limit = 16

    func looks(of thread: ThreadID) -> [Look] { looks[thread] }

    mutating func consume(_ event: Event, number: Int) {
        let effect = event.kind.effect
        if effect.isRead {
            guard looks[event.thread].count < Self.limit else { return }
            looks[event.thread].append(Look(object: event.object, value: event.value, site: event.site, number: number))
        } else if effect.isWrite || (event.lockChange != nil && effect != .park) {
            // A wait (`park`) releases its mutex too, but must not erase the test that precedes it.
            if !looks[event.thread].isEmpty { looks[event.thread].removeAll(keepingCapacity: true) }
        }
    }
}
