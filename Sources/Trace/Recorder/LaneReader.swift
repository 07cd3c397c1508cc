/// The reading end of a lane. Reads its chunks in place, and returns each chunk when it is drained.
struct LaneReader {
    private typealias Layout = RecordingLayout

    private let memory: RecordingMemory
    private let pool: ChunkPool
    private let number: Int
    /// Whether drained chunks return to the pool.
    private var returnsChunks: Bool
    /// The offset of the lane's record in the memory.
    private let record: Int

    /// The number of records that have been read, or that an earlier reader has read.
    private var position: UInt64 = 0
    /// The number of records that the writer has published.
    private var available: UInt64 = 0
    /// The number of the chunk that is being read. −1: none yet.
    private var chunk = -1
    /// The offset of that chunk in the memory.
    private var offset = 0
    /// Whether a link to a chunk was invalid. Nothing more can then be read.
    private var isDamaged = false

    /// The time, in ticks, up to which all events of this lane are known.
    private(set) var bound: UInt64 = 0
    /// The next event, if available.
    private(set) var head: LaneHead?
    /// The delay that is added to the time of a write to memory (`LaneMerge.lateness`).
    var lateness: UInt64 = 0
    /// The key of the latest head.
    private var lastKey: UInt64 = 0

    /// - Parameter returnsChunks: whether drained chunks return to the pool for reuse.
    init(memory: RecordingMemory, number: Int, returnsChunks: Bool) {
        self.memory = memory
        self.number = number
        self.returnsChunks = returnsChunks
        pool = ChunkPool(memory)
        record = Layout.lanes + number * Layout.LaneRecord.size
    }

    /// The kernel's number of the lane's thread. 0: not recorded.
    var kernelThread: Int32 {
        Int32(truncatingIfNeeded: memory.load(record + Layout.LaneRecord.kernelThread))
    }

    /// Finds out how much the writer has published, and up to which time all its events are known.
    ///
    /// - Parameters:
    ///   - moment: a reading of the clock before this call.
    ///   - previous: the reading before the previous call.
    mutating func update(moment: UInt64, previous: UInt64) {
        let state = memory.load(record + Layout.LaneRecord.state)
        let count = state >> 1
        if state & 1 == 0 {
            // No event is being written. Any later one gets a stamp after `moment`.
            bound = moment
        } else if count != available {
            // An event is being written, so its stamp is not known. But an event has been published since the last
            // check, and this one was begun after that: its stamp is not before `previous`.
            bound = max(bound, previous)
        }
        available = max(available, count)
        if head == nil { advance() }
    }

    /// Moves to the next event.
    mutating func advance() {
        head = nil
        guard let (event, supplement) = nextEvent() else { return }
        let next = LaneHead(event, supplement, lateness: lateness, after: lastKey)
        lastKey = next.key
        head = next
    }

    // MARK: - Without a merge

    /// Finds out how much the writer has published, for a reader that merges nothing.
    mutating func update() { available = max(available, memory.load(record + Layout.LaneRecord.state) >> 1) }

    /// Removes the next event. Only for a reader that merges nothing; otherwise the next event is `head`.
    ///
    /// - Returns: the event, and the record of the value that it replaced, if it has one.
    mutating func nextEvent() -> (event: RecordedEvent, supplement: RecordedEvent?)? {
        var record = nextRecord()
        // Skips the padding of a chunk, and parts of lost events.
        while let found = record, found.isSupplement { record = nextRecord() }
        return record.map { ($0, $0.hasSupplement ? nextRecord() : nil) }
    }

    // MARK: - Looking ahead

    /// The maximum number of events after the head that `write(seenBy:before:patience:)` examines.
    private static let foresight = 256

    /// A copy of this reader after the head, as far as events are available. The lane is not changed.
    var afterHead: LaneReader {
        var ahead = self
        // Must not return chunks, which are still to be read.
        ahead.returnsChunks = false
        ahead.advance()
        return ahead
    }

    /// The first write after the head that a read of a plain cell may have seen.
    ///
    /// - Parameters:
    ///   - limit: the latest time at which the read can have happened. The writer's earlier events come before that;
    ///     only the write itself may have a later stamp.
    ///   - patience: by how much the write may be stamped late.
    func write(seenBy read: LaneHead, before limit: UInt64, patience: UInt64) -> LaneHead? {
        var ahead = self
        // Must not return chunks, which are still to be read.
        ahead.returnsChunks = false
        for _ in 0..<Self.foresight {
            guard let before = ahead.head, before.event.time < limit &+ lateness else { return nil }
            ahead.advance()
            if let head = ahead.head, head.isWrite(seenBy: read), head.key < read.key &+ patience { return head }
        }
        return nil
    }

    /// Moves the head to a later time than its stamp.
    ///
    /// - Parameter limit: the latest time: that of the lane's next event.
    mutating func postponeHead(after other: LaneHead, limit: UInt64) {
        head?.postpone(after: other, limit: limit)
        lastKey = head?.key ?? lastKey
    }

    // MARK: - Records

    /// Removes the next record: an event, or the supplement of the event before it.
    private mutating func nextRecord() -> RecordedEvent? {
        guard position < available, !isDamaged else { return nil }
        let index = Int(position % UInt64(Layout.Chunk.eventCount))
        // A reader may start in the middle of a lane, because an earlier reader has returned the chunks before.
        if index == 0 || chunk < 0 {
            guard nextChunk() else {
                isDamaged = true
                return nil
            }
            // `nextChunk` has moved the position if the chunks before it were returned.
            guard position < available else { return nil }
        }
        let place = offset + (Int(position % UInt64(Layout.Chunk.eventCount)) + 1) * Layout.Chunk.eventSize
        position += 1
        return (memory.base + place).load(as: RecordedEvent.self)
    }

    /// Moves to the first or the next chunk, and puts the previous one back into the pool. Returns false if there is no
    /// next chunk, or if the link to it is damaged.
    private mutating func nextChunk() -> Bool {
        let isFirst = chunk < 0
        let link = isFirst ? record + Layout.LaneRecord.firstChunk : offset + Layout.Chunk.next
        let next = Int(memory.load(link) & 0xFFFF_FFFF) - 1
        guard let place = pool.offset(of: next),
            memory.load(place + Layout.Chunk.lane) == UInt64(number) + 1
        else { return false }
        let sequence = memory.load(place + Layout.Chunk.sequence)
        if isFirst {
            // A damaged number must not overflow the product.
            guard sequence < UInt64(UInt32.max) else { return false }
            position = max(position, sequence * UInt64(Layout.Chunk.eventCount))
        } else {
            guard sequence == position / UInt64(Layout.Chunk.eventCount) else { return false }
            if returnsChunks {
                memory.store(record + Layout.LaneRecord.firstChunk, UInt64(next) + 1)
                pool.giveBack(chunk)
            }
        }
        chunk = next
        offset = place
        return true
    }
}

/// The next event of a lane, with what the merge needs to know about it.
struct LaneHead {
    private(set) var event: RecordedEvent
    /// What the event does. An invalid event does nothing.
    let effect: Effect
    /// The value that it replaced, if known.
    let old: Int64?
    /// The time at which it is due in the merge. The keys of one lane never decrease.
    private(set) var key: UInt64

    /// - Parameters:
    ///   - supplement: the record of the old value, if the event needs one.
    ///   - lateness: the delay that is added to the time of a write, so that a read of the old value with a slightly
    ///     later stamp goes first.
    ///   - last: the key of the lane's previous event.
    init(_ event: RecordedEvent, _ supplement: RecordedEvent?, lateness: UInt64, after last: UInt64) {
        self.event = event
        effect = event.kind?.effect ?? .none
        if event.hasSupplement {
            old = supplement.flatMap { $0.isSupplement ? $0.value : nil }
        } else {
            old = event.hasOld ? event.nearOld : nil
        }
        // A write that keeps the value is ordered like a read.
        let isChange = effect.isWrite && old != event.value
        key = max(isChange ? event.time &+ lateness : event.time, last)
    }

    /// Makes it due immediately after the other event, but not after the limit.
    mutating func postpone(after other: LaneHead, limit: UInt64) {
        event.time = max(event.time, min(other.event.time, limit))
        key = max(key, min(other.key &+ 1, limit))
    }

    /// Whether it writes the value that a read of the same plain cell saw.
    func isWrite(seenBy read: LaneHead) -> Bool {
        event.object == read.event.object && effect == .write(.cell) && event.value == read.event.value
    }

    /// Whether it replaces a known old value by a different one. Meaningful only for an atomic: the kind of object is
    /// not checked.
    var changesAtomic: Bool { old.map { $0 != event.value } ?? false }
}
