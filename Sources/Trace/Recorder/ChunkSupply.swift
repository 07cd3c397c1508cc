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
