/// The next event of a lane, as seen by the merge.
struct LaneHead {
    private(set) var event: RecordedEvent
    /// What the event does. An invalid event does nothing.
    let effect: Effect
    /// The value that it replaced, if that is known.
    let old: Int64?
    /// When it is due. Keys of one lane never decrease.
    private(set) var key: UInt64

    /// - Parameters:
    ///   - supplement: the record of the old value, if the event needs one.
    ///   - lateness: how much later than its time a write is due: a read of the old value that was stamped a little
    ///     later goes first.
    ///   - last: the key of the previous event.
    init(_ event: RecordedEvent, _ supplement: RecordedEvent?, lateness: UInt64, after last: UInt64) {
        self.event = event
        effect = event.kind?.effect ?? .none
        if event.hasSupplement {
            old = supplement.flatMap { $0.isSupplement ? $0.value : nil }
        } else {
            old = event.hasOld ? event.nearOld : nil
        }
        // A write that does not change the value is ordered like a read.
        let isChange = effect.isWrite && old != event.value
        key = max(isChange ? event.time &+ lateness : event.time, last)
    }

    /// Makes it due immediately after another event.
    mutating func postpone(after other: LaneHead) {
        event.time = max(event.time, other.event.time)
        key = max(key, other.key &+ 1)
    }

    /// Whether it replaces a known value by another one.
    var changesAtomic: Bool { old.map { $0 != event.value } ?? false }
}
