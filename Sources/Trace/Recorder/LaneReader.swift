/// A lane's reading end: walks through its chunks, in place, and gives each back when it is drained.
struct LaneReader {
    private typealias Layout = RecordingLayout

    private let memory: RecordingMemory
    private let pool: ChunkPool
    private let number: Int
    private let gives: Bool
    private let record: Int

    /// How many events were read, and how many can be.
    private var position: UInt64 = 0
    private var available: UInt64 = 0
    /// The chunk that is being read, or −1.
    private var chunk = -1
    private var offset = 0
    private var isDamaged = false

    /// Until when this lane is known to be complete, in ticks.
    private(set) var bound: UInt64 = 0
    /// The event that comes next, if it is there.
    private(set) var head: LaneHead?
    /// By how much a write to memory is taken later than it is stamped.
    var lateness: UInt64 = 0
    private var lastKey: UInt64 = 0

    /// - Parameter gives: whether drained chunks go back to the pool, for the writer to use again.
    init(memory: RecordingMemory, number: Int, gives: Bool) {
        self.memory = memory
        self.number = number
        self.gives = gives
        pool = ChunkPool(memory)
        record = Layout.lanes + number * Layout.LaneRecord.size
    }

    /// The kernel's number of the lane's thread; 0 if none was noted.
    var kernelThread: Int32 {
        Int32(truncatingIfNeeded: memory.load(record + Layout.LaneRecord.kernelThread))
    }

    /// Looks how far the writer has come.
    ///
    /// - Parameters:
    ///   - moment: a reading of the clock from before this call.
    ///   - previous: the one from the call before.
    mutating func update(moment: UInt64, previous: UInt64) {
        let state = memory.load(record + Layout.LaneRecord.state)
        let count = state >> 1
        if state & 1 == 0 {
            bound = moment
        } else if count != available {
            // An event is on its way, and was announced after the one before it was published: since the last look.
            bound = max(bound, previous)
        }
        available = max(available, count)
        if head == nil { advance() }
    }

    /// Goes on to the next event.
    mutating func advance() {
        head = nil
        var record = nextRecord()
        // What fills a chunk, or belongs to an event that is lost.
        while let found = record, found.isSupplement { record = nextRecord() }
        guard let event = record else { return }
        let supplement = event.hasSupplement ? nextRecord() : nil
        let next = LaneHead(event, supplement, lateness: lateness, after: lastKey)
        lastKey = next.key
        head = next
    }

    private mutating func nextRecord() -> RecordedEvent? {
        guard position < available, !isDamaged else { return nil }
        let index = Int(position % UInt64(Layout.Chunk.eventCount))
        // The first one seen may be in the middle of a lane: an earlier reader has given back what was before.
        if index == 0 || chunk < 0 {
            guard nextChunk() else {
                isDamaged = true
                return nil
            }
            guard position < available else { return nil }
        }
        let place = offset + (Int(position % UInt64(Layout.Chunk.eventCount)) + 1) * Layout.Chunk.eventSize
        position += 1
        return (memory.base + place).load(as: RecordedEvent.self)
    }

    private mutating func nextChunk() -> Bool {
        let isFirst = chunk < 0
        let link = isFirst ? record + Layout.LaneRecord.firstChunk : offset + Layout.Chunk.next
        let next = Int(memory.load(link) & 0xFFFF_FFFF) - 1
        guard let place = pool.offset(of: next),
            memory.load(place + Layout.Chunk.lane) == UInt64(number) + 1
        else { return false }
        let sequence = memory.load(place + Layout.Chunk.sequence)
        if isFirst {
            guard sequence < UInt64(UInt32.max) else { return false }
            position = max(position, sequence * UInt64(Layout.Chunk.eventCount))
        } else {
            guard sequence == position / UInt64(Layout.Chunk.eventCount) else { return false }
            if gives {
                memory.store(record + Layout.LaneRecord.firstChunk, UInt64(next) + 1)
                pool.giveBack(chunk)
            }
        }
        chunk = next
        offset = place
        return true
    }
}
