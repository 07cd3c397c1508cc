import CLab
import Synchronization

/// A lane's writing end: private to its thread, but for the words in the recording's memory that it publishes.
package struct LaneCursor {
    package var next: UnsafeMutablePointer<RecordedEvent>
    package var end: UnsafeMutablePointer<RecordedEvent>
    /// How many events were published.
    package var count: UInt64 = 0
    /// `RecordingLayout.LaneRecord.state`.
    package let state: UnsafeMutablePointer<Atomic<UInt64>>
    package let clock: RecordingClock

    private let memory: RecordingMemory
    /// Nil for a lane that drops everything, because there are too many.
    private let number: Int?
    private var chunk = -1
    private var sequence: UInt64 = 0
    /// Waiting was in vain once: drop at once from now on, until there is a chunk again.
    private var isStarved = false

    init(memory: RecordingMemory, number: Int?, clock: RecordingClock) {
        self.memory = memory
        self.number = number
        self.clock = clock
        // Nothing to write to yet: the first event takes the first chunk.
        next = memory.base.assumingMemoryBound(to: RecordedEvent.self)
        end = next
        // A lane beyond the limit publishes to the last word of the header, which nobody reads.
        state = memory.word(number.map(Self.record) ?? RecordingLayout.Header.length - 8)
    }

    private static func record(_ lane: Int) -> Int {
        RecordingLayout.lanes + lane * RecordingLayout.LaneRecord.size
    }

    @inlinable @inline(__always) package func announce() { state.pointee.store(count &<< 1 | 1, ordering: .relaxed) }

    @inlinable @inline(__always) package func retract() { state.pointee.store(count &<< 1, ordering: .releasing) }

    @inlinable @inline(__always) package mutating func publish() {
        count &+= 1
        state.pointee.store(count &<< 1, ordering: .releasing)
    }

    @inlinable @inline(__always) package func now() -> UInt64 {
        clock == .ticks ? clab_ticks() : RecordingClock.nanoseconds()
    }

    func setKernelThread(_ id: Int32) {
        guard let number else { return }
        memory.store(Self.record(number) + RecordingLayout.LaneRecord.kernelThread, UInt64(UInt32(bitPattern: id)))
    }

    // MARK: - Chunks

    /// Makes room for more events. False if there is none: the event is then dropped, and counted.
    @inline(never) package mutating func takeChunk() -> Bool {
        guard let number, let chunk = waitForChunk() else {
            _ = memory.word(RecordingLayout.Header.dropped).pointee.wrappingAdd(1, ordering: .relaxed)
            retract()
            return false
        }
        let pool = ChunkPool(memory)
        guard let offset = pool.offset(of: chunk) else { return false }
        memory.store(offset + RecordingLayout.Chunk.sequence, sequence)
        memory.store(offset + RecordingLayout.Chunk.next, 0)
        memory.store(offset + RecordingLayout.Chunk.lane, UInt64(number) + 1)
        // The old chunk is still this lane's: a reader gives it back only after it has seen the next one.
        if let last = pool.offset(of: self.chunk) {
            memory.store(last + RecordingLayout.Chunk.next, UInt64(chunk) + 1)
        } else {
            memory.store(Self.record(number) + RecordingLayout.LaneRecord.firstChunk, UInt64(chunk) + 1)
        }
        self.chunk = chunk
        sequence += 1
        next = (memory.base + offset + RecordingLayout.Chunk.eventSize).assumingMemoryBound(to: RecordedEvent.self)
        end = next + RecordingLayout.Chunk.eventCount
        if clock == .ticks { Recorder.calibrate(memory) }
        return true
    }

    /// A reader that is attached gives chunks back. It is waited for, but not for ever: it may be stopped, or be the
    /// very thread that waits here.
    private mutating func waitForChunk() -> Int? {
        let pool = ChunkPool(memory)
        var patience = isStarved ? 0 : 200
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
