import Synchronization

/// Gets one lane its chunks, and links them so that a reader finds them.
final class ChunkSupply {
    private let memory: RecordingMemory
    private let pool: ChunkPool
    private let clock: RecordingClock
    /// Nil for a lane that drops everything, because there are too many.
    private let lane: Int?
    private var chunk = -1
    private var sequence: UInt64 = 0
    /// A wait has already failed: drop at once from now on, until a chunk is available.
    private var isStarved = false

    init(memory: RecordingMemory, lane: Int?, clock: RecordingClock) {
        self.memory = memory
        self.lane = lane
        self.clock = clock
        pool = ChunkPool(memory)
    }

    /// The offset of the lane's record.
    var record: Int? { lane.map { RecordingLayout.lanes + $0 * RecordingLayout.LaneRecord.size } }

    func setKernelThread(_ id: Int32) {
        guard let record else { return }
        memory.store(record + RecordingLayout.LaneRecord.kernelThread, UInt64(UInt32(bitPattern: id)))
    }

    /// Counts an event for which there was no room.
    func countDropped() { memory.word(RecordingLayout.Header.dropped).pointee.wrappingAdd(1, ordering: .relaxed) }

    /// Room for a chunk's worth of events. Nil if there is none.
    func takeChunk() -> UnsafeMutablePointer<RecordedEvent>? {
        guard let lane, let record, let chunk = waitForChunk(), let offset = pool.offset(of: chunk) else {
            return nil
        }
        memory.store(offset + RecordingLayout.Chunk.sequence, sequence)
        memory.store(offset + RecordingLayout.Chunk.next, 0)
        memory.store(offset + RecordingLayout.Chunk.lane, UInt64(lane) + 1)
        // The old chunk is still this lane's: a reader returns it only after it has seen the next one.
        if let last = pool.offset(of: self.chunk) {
            memory.store(last + RecordingLayout.Chunk.next, UInt64(chunk) + 1)
        } else {
            memory.store(record + RecordingLayout.LaneRecord.firstChunk, UInt64(chunk) + 1)
        }
        self.chunk = chunk
        sequence += 1
        if clock == .ticks { Recorder.calibrate(memory) }
        return (memory.base + offset + RecordingLayout.Chunk.eventSize).assumingMemoryBound(to: RecordedEvent.self)
    }

    /// In milliseconds, or a little more. A reader that shares a busy machine with the run may be late; events dropped
    /// in the middle of a run look like a fault of the run.
    private static let patience = 5_000

    /// An attached reader returns chunks. The wait for it is limited: it may be stopped, or be the very thread that
    /// waits here.
    private func waitForChunk() -> Int? {
        var patience = isStarved ? 0 : Self.patience
        while true {
            if let chunk = pool.take() {
                isStarved = false
                return chunk
            }
            guard patience > 0, memory.load(RecordingLayout.Header.reader) != 0 else { break }
            patience -= 1
            Recorder.pause()
        }
        isStarved = true
        return nil
    }
}

/// Allocates the chunks of a recording, without locks: first those that a reader has returned, then new ones.
struct ChunkPool {
    private typealias Layout = RecordingLayout

    let memory: RecordingMemory
    private let first: Int
    private let count: Int

    init(_ memory: RecordingMemory) {
        self.memory = memory
        first = RecordingLayout.chunks(size: memory.size)
        count = (memory.size - first) / RecordingLayout.Chunk.size
    }

    /// The offset of a chunk. Nil if no chunk has this number.
    func offset(of chunk: Int) -> Int? {
        chunk >= 0 && chunk < count ? first + chunk * RecordingLayout.Chunk.size : nil
    }

    /// Takes a chunk; nil while there is none.
    func take() -> Int? { takeReturned() ?? takeFresh() }

    /// Returns a chunk, for any lane to use.
    func giveBack(_ chunk: Int) {
        guard let offset = offset(of: chunk) else { return }
        let list = memory.word(Layout.Header.freeChunks)
        var head = list.pointee.load(ordering: .acquiring)
        while true {
            memory.store(offset + Layout.Chunk.next, head & 0xFFFF_FFFF)
            let new = (head >> 32 &+ 1) << 32 | UInt64(chunk + 1)
            let (done, found) = list.pointee.compareExchange(
                expected: head, desired: new, ordering: .acquiringAndReleasing)
            if done { return }
            head = found
        }
    }

    private func takeReturned() -> Int? {
        let list = memory.word(Layout.Header.freeChunks)
        var head = list.pointee.load(ordering: .acquiring)
        while let offset = offset(of: Int(head & 0xFFFF_FFFF) - 1) {
            // Another thread may take the chunk meanwhile, and write to this word: then the exchange fails.
            let next = memory.load(offset + Layout.Chunk.next) & 0xFFFF_FFFF
            let new = (head >> 32 &+ 1) << 32 | next
            let (done, found) = list.pointee.compareExchange(
                expected: head, desired: new, ordering: .acquiringAndReleasing)
            if done { return Int(head & 0xFFFF_FFFF) - 1 }
            head = found
        }
        return nil
    }

    private func takeFresh() -> Int? {
        let taken = memory.word(Layout.Header.chunksTaken)
        var number = taken.pointee.load(ordering: .relaxed)
        while number < UInt64(count) {
            let (done, found) = taken.pointee.compareExchange(
                expected: number, desired: number + 1, ordering: .acquiringAndReleasing)
            if done {
                let chunk = Int(number)
                let offset = first + chunk * Layout.Chunk.size
                guard memory.reserve(offset, Layout.Chunk.size) else { return nil }
                memory.populate(offset, Layout.Chunk.size)
                return chunk
            }
            number = found
        }
        return nil
    }
}
