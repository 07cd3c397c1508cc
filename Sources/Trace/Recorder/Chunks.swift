import Synchronization

/// Supplies one lane (the log of one thread) with chunks (pieces of memory for some events), and links them for the
/// reader.
final class ChunkSupply {
    private let memory: RecordingMemory
    private let pool: ChunkPool
    private let clock: RecordingClock
    /// Nil for the lane that drops everything, because there are too many lanes.
    private let lane: Int?
    /// The number of the chunk to which the lane's thread now writes. −1: none yet.
    private var chunk = -1
    /// The number of chunks that the lane has had.
    private var sequence: UInt64 = 0
    /// Whether a wait for a chunk has failed. Until a chunk is available, events are then dropped at once.
    private var isStarved = false

    init(memory: RecordingMemory, lane: Int?, clock: RecordingClock) {
        self.memory = memory
        self.lane = lane
        self.clock = clock
        pool = ChunkPool(memory)
    }

    /// The offset of the lane's record (`RecordingLayout.LaneRecord`).
    var record: Int? { lane.map { RecordingLayout.lanes + $0 * RecordingLayout.LaneRecord.size } }

    func setKernelThread(_ id: Int32) {
        guard let record else { return }
        memory.store(record + RecordingLayout.LaneRecord.kernelThread, UInt64(UInt32(bitPattern: id)))
    }

    /// Counts an event that is dropped because there is no room.
    func countDropped() { memory.word(RecordingLayout.Header.dropped).pointee.wrappingAdd(1, ordering: .relaxed) }

    /// Takes a chunk, and returns the memory for its events. Nil: no chunk is available.
    func takeChunk() -> UnsafeMutablePointer<RecordedEvent>? {
        guard let lane, let record, let taken = waitForChunk(), let offset = pool.offset(of: taken) else {
            return nil
        }
        memory.store(offset + RecordingLayout.Chunk.sequence, sequence)
        memory.store(offset + RecordingLayout.Chunk.next, 0)
        memory.store(offset + RecordingLayout.Chunk.lane, UInt64(lane) + 1)
        // The old chunk still belongs to this lane: a reader returns it only after it has seen the next one.
        if let last = pool.offset(of: chunk) {
            memory.store(last + RecordingLayout.Chunk.next, UInt64(taken) + 1)
        } else {
            memory.store(record + RecordingLayout.LaneRecord.firstChunk, UInt64(taken) + 1)
        }
        chunk = taken
        sequence += 1
        // A longer measurement of the clock's rate is better, and chunks are taken rarely.
        if clock == .ticks { Recorder.calibrate(memory) }
        return (memory.base + offset + RecordingLayout.Chunk.eventSize).assumingMemoryBound(to: RecordedEvent.self)
    }

    /// The maximum number of pauses, of 1 ms each, in a wait for a chunk. A reader that shares a busy machine with the
    /// run may be late, and events dropped in the middle of a run look like an error of the run.
    private static let mostPauses = 5_000

    /// Takes a chunk, or waits for an attached reader to return one. The wait is limited, because the reader may be
    /// stopped, or be the thread that waits here.
    private func waitForChunk() -> Int? {
        var pausesLeft = isStarved ? 0 : Self.mostPauses
        while true {
            if let chunk = pool.take() {
                isStarved = false
                return chunk
            }
            guard pausesLeft > 0, memory.load(RecordingLayout.Header.reader) != 0 else { break }
            pausesLeft -= 1
            Recorder.pause()
        }
        isStarved = true
        return nil
    }
}

/// Allocates the chunks of a recording without locks: first chunks that a reader has returned, then new ones.
///
/// The returned chunks are a linked list. In the word for its head, the lower half is the number of the first chunk
/// plus one, and the upper half counts the changes of the word, against the ABA problem.
struct ChunkPool {
    private typealias Layout = RecordingLayout

    let memory: RecordingMemory
    /// The lower half of the word for the list's head.
    private static let lowerHalf: UInt64 = 0xFFFF_FFFF

    /// The offset of chunk 0.
    private let first: Int
    /// The number of chunks for which the memory has room.
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

    /// Takes a chunk. Nil: none is available now.
    func take() -> Int? { takeReturned() ?? takeFresh() }

    /// Returns a chunk, for any lane to use.
    func giveBack(_ chunk: Int) {
        guard let offset = offset(of: chunk) else { return }
        let list = memory.word(Layout.Header.freeChunks)
        var head = list.pointee.load(ordering: .acquiring)
        while true {
            memory.store(offset + Layout.Chunk.next, head & Self.lowerHalf)
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
        while let offset = offset(of: Int(head & Self.lowerHalf) - 1) {
            // If another thread takes the chunk at the same time and writes to this word, the exchange below fails.
            let next = memory.load(offset + Layout.Chunk.next) & Self.lowerHalf
            let new = (head >> 32 &+ 1) << 32 | next
            let (done, found) = list.pointee.compareExchange(
                expected: head, desired: new, ordering: .acquiringAndReleasing)
            if done { return Int(head & Self.lowerHalf) - 1 }
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
