import CLab
import Synchronization

/// A lane's writing end. Plain words only, so that recording an event counts no reference and copies nothing.
package struct LaneCursor {
    package var next: UnsafeMutablePointer<RecordedEvent>
    package var end: UnsafeMutablePointer<RecordedEvent>
    /// How many events were published.
    package var count: UInt64 = 0
    /// `RecordingLayout.LaneRecord.state`, in the recording's memory.
    package let state: UnsafeMutablePointer<Atomic<UInt64>>
    package let readsTicks: Bool
    /// Owned by the recorder.
    private let supply: Unmanaged<ChunkSupply>

    init(supply: Unmanaged<ChunkSupply>, memory: RecordingMemory, record: Int?, clock: RecordingClock) {
        self.supply = supply
        readsTicks = clock == .ticks
        // Nothing to write to yet: the first event takes the first chunk.
        next = memory.base.assumingMemoryBound(to: RecordedEvent.self)
        end = next
        // A lane beyond the limit publishes to the last word of the header, which is never read.
        let state = record.map { $0 + RecordingLayout.LaneRecord.state } ?? RecordingLayout.Header.length - 8
        self.state = memory.word(state)
    }

    /// Says that an event is on its way. There is room for it then, if there is any to be had: a reader does not go past what is
    /// announced, so a thread that announced and then waited for a chunk would wait forever.
    ///
    /// The store may still be in the processor's store buffer when the clock is read. A reader waits longer (`LaneMerge.slack`, 1 ms) than
    /// any store stays there.
    @inlinable @inline(__always) package static func announce(_ cursor: UnsafeMutablePointer<LaneCursor>) {
        if cursor.pointee.next == cursor.pointee.end { _ = takeChunk(cursor) }
        cursor.pointee.state.pointee.store(cursor.pointee.count &<< 1 | 1, ordering: .relaxed)
    }

    /// Says that a write is on its way, which may need two records.
    @inlinable @inline(__always) package static func announceWrite(_ cursor: UnsafeMutablePointer<LaneCursor>) {
        if cursor.pointee.end - cursor.pointee.next < 2 { makeRoomForTwo(cursor) }
        cursor.pointee.state.pointee.store(cursor.pointee.count &<< 1 | 1, ordering: .relaxed)
    }

    /// Both records in one chunk, because there is no waiting for another one between them.
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

    /// Gives up an event for which there is no room.
    @inline(never) package static func drop(_ cursor: UnsafeMutablePointer<LaneCursor>) {
        cursor.pointee.supply._withUnsafeGuaranteedRef { $0.countDropped() }
        retract(cursor)
    }

    func releaseSupply() { supply.release() }
}
