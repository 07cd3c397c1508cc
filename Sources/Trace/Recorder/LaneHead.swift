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

    /// Makes it due immediately after another event, but not after the limit.
    mutating func postpone(after other: LaneHead, limit: UInt64) {
        event.time = max(event.time, min(other.event.time, limit))
        key = max(key, min(other.key &+ 1, limit))
    }

    /// Whether it is a write of the value that a read of the same plain cell saw.
    func isWrite(seenBy read: LaneHead) -> Bool {
        event.object == read.event.object && effect == .write(.cell) && event.value == read.event.value
    }

    /// Whether it replaces a known value by another one.
    var changesAtomic: Bool { old.map { $0 != event.value } ?? false }
}
