import CLab
import Synchronization

/// A lane's writing end. Only plain words, so that recording an event counts no references and copies nothing.
package struct LaneCursor {
    package var next: UnsafeMutablePointer<RecordedEvent>
    package var end: UnsafeMutablePointer<RecordedEvent>
    /// The number of published events.
    package var count: UInt64 = 0
    /// `RecordingLayout.LaneRecord.state`, in the recording's memory.
    package let state: UnsafeMutablePointer<Atomic<UInt64>>
    package let readsTicks: Bool
    /// Owned by the recorder.
    private let supply: Unmanaged<ChunkSupply>

    init(supply: Unmanaged<ChunkSupply>, memory: RecordingMemory, record: Int?, clock: RecordingClock) {
        self.supply = supply
        readsTicks = clock == .ticks
        // No chunk yet: the first event takes one.
        next = memory.base.assumingMemoryBound(to: RecordedEvent.self)
        end = next
        // A lane beyond the limit publishes to the last word of the header, which is not read.
        let state = record.map { $0 + RecordingLayout.LaneRecord.state } ?? RecordingLayout.Header.length - 8
        self.state = memory.word(state)
    }

    /// Announces an event. Room for it is allocated first, if possible: a reader does not go past an announced event,
    /// so a thread that announced and then waited for a chunk would wait forever.
    ///
    /// The store may still be in the processor's store buffer when the clock is read. A reader waits longer than that
    /// (`LaneMerge.slack`, 1 ms).
    @inlinable @inline(__always) package static func announce(_ cursor: UnsafeMutablePointer<LaneCursor>) {
        if cursor.pointee.next == cursor.pointee.end { _ = takeChunk(cursor) }
        cursor.pointee.state.pointee.store(cursor.pointee.count &<< 1 | 1, ordering: .relaxed)
    }

    /// Announces a write, which may need two records.
    @inlinable @inline(__always) package static func announceWrite(_ cursor: UnsafeMutablePointer<LaneCursor>) {
        if cursor.pointee.end - cursor.pointee.next < 2 { makeRoomForTwo(cursor) }
        cursor.pointee.state.pointee.store(cursor.pointee.count &<< 1 | 1, ordering: .relaxed)
    }

    /// Both records are in one chunk, because the writer must not wait for another chunk between them.
    @inline(never) package static func makeRoomForTwo(_ cursor: UnsafeMutablePointer<LaneCursor>) {
        if cursor.pointee.next < cursor.pointee.end { put(RecordedEvent(supplement: 0), cursor) }
        _ = takeChunk(cursor)
    }

    @inlinable @inline(__always) package static func retract(_ cursor: UnsafeMutablePointer<LaneCursor>) {
        cursor.pointee.state.pointee.store(cursor.pointee.count &<< 1, ordering: .releasing)
    }

    @inlinable @inline(__always) package static func now(_ cursor: UnsafeMutablePointer<LaneCursor>) -> UInt64 {
        cursor.pointee.readsTicks ? clab_ticks() : RecordingClock.nanoseconds()
    }

    @inlinable @inline(__always) package static func afterwards(_ cursor: UnsafeMutablePointer<LaneCursor>) -> UInt64 {
        cursor.pointee.readsTicks ? clab_ticks_afterwards() : RecordingClock.nanoseconds()
    }

    /// Writes an event and publishes it.
    @inlinable @inline(__always) package static func put(
        _ event: RecordedEvent, _ cursor: UnsafeMutablePointer<LaneCursor>
    ) {
        if cursor.pointee.next == cursor.pointee.end && !takeChunk(cursor) {
            drop(cursor)
            return
        }
        cursor.pointee.next.initialize(to: event)
        cursor.pointee.next += 1
        cursor.pointee.count &+= 1
        cursor.pointee.state.pointee.store(cursor.pointee.count &<< 1, ordering: .releasing)
    }

    /// Writes an event that replaced a value, after `announceWrite`, and publishes it.
    @inlinable @inline(__always) package static func put(
        _ event: RecordedEvent, old: Int64, _ cursor: UnsafeMutablePointer<LaneCursor>
    ) {
        var event = event
        if event.setOld(old) { put(event, cursor) } else { putBoth(event, old, cursor) }
    }

    @inline(never) package static func putBoth(
        _ event: RecordedEvent, _ old: Int64, _ cursor: UnsafeMutablePointer<LaneCursor>
    ) {
        if cursor.pointee.end - cursor.pointee.next < 2 {
            drop(cursor)
            return
        }
        cursor.pointee.next.initialize(to: event)
        (cursor.pointee.next + 1).initialize(to: RecordedEvent(supplement: old))
        cursor.pointee.next += 2
        cursor.pointee.count &+= 2
        cursor.pointee.state.pointee.store(cursor.pointee.count &<< 1, ordering: .releasing)
    }

    func setKernelThread(_ id: Int32) { supply._withUnsafeGuaranteedRef { $0.setKernelThread(id) } }

    /// Makes room for more events. False if there is none.
    @inline(never) package static func takeChunk(_ cursor: UnsafeMutablePointer<LaneCursor>) -> Bool {
        guard let events = cursor.pointee.supply._withUnsafeGuaranteedRef({ $0.takeChunk() }) else { return false }
        cursor.pointee.next = events
        cursor.pointee.end = events + RecordingLayout.Chunk.eventCount
        return true
    }

    /// Drops an event for which there is no room.
    @inline(never) package static func drop(_ cursor: UnsafeMutablePointer<LaneCursor>) {
        cursor.pointee.supply._withUnsafeGuaranteedRef { $0.countDropped() }
        retract(cursor)
    }

    func releaseSupply() { supply.release() }
}
