import CLab
import Synchronization

/// The place where one thread records. Used by one thread at a time; recording an event takes no lock and no system
/// call.
///
/// A handle: the recorder owns what it points to, so keep the recorder while lanes are in use.
package struct Lane: @unchecked Sendable {
    package let cursor: UnsafeMutablePointer<LaneCursor>

    init(_ cursor: UnsafeMutablePointer<LaneCursor>) { self.cursor = cursor }

    /// Records an event that happens now.
    @inlinable @inline(__always) package func append(
        _ kind: EventKind, thread: UInt16, object: UInt32 = 0, value: Int64 = 0, site: SourceSite
    ) {
        // First announces the event, so that a reader does not go past this moment yet.
        LaneCursor.announce(cursor)
        let time = LaneCursor.now(cursor)
        append(kind, thread: thread, object: object, value: value, site: site, time: time)
    }

    /// Records an event of a given time, in units of the recording's clock. Times on one lane never decrease.
    @inlinable @inline(__always) package func append(
        _ kind: EventKind, thread: UInt16, object: UInt32 = 0, value: Int64 = 0, site: SourceSite, time: UInt64,
        order: MemoryOrder = .seqcst
    ) {
        LaneCursor.put(
            RecordedEvent(
                time: time, site: site, value: value, object: object, thread: thread, kind: kind, order: order), cursor)
    }

    /// Records a remark that is made now.
    ///
    /// - Parameter remark: the number of its words: `Recorder.number(of:)`.
    package func append(remark: UInt8, thread: UInt16, object: UInt32, value: Int64, site: SourceSite) {
        LaneCursor.announce(cursor)
        append(
            remark: remark, thread: thread, object: object, value: value, site: site, time: LaneCursor.now(cursor))
    }

    /// Records a remark of a given time.
    package func append(
        remark: UInt8, thread: UInt16, object: UInt32, value: Int64, site: SourceSite, time: UInt64
    ) {
        LaneCursor.put(
            RecordedEvent(time: time, site: site, value: value, object: object, thread: thread, remark: remark), cursor)
    }

    // MARK: - Memory

    // The thread announces the operation, performs it, and records it. A read is stamped before it is performed, and a
    // write afterwards: so a read of the old value has the earlier time. A read of the new one may have it too, but the
    // values decide (`MergeOrder`).

    /// Performs a read and records it.
    ///
    /// - Parameter read: performs the read.
    @inlinable @inline(__always) package func append(
        _ kind: EventKind, thread: UInt16, object: UInt32, site: SourceSite, order: MemoryOrder = .seqcst,
        reading read: () -> Int
    ) -> Int {
        LaneCursor.announce(cursor)
        let time = LaneCursor.now(cursor)
        let value = read()
        append(kind, thread: thread, object: object, value: Int64(value), site: site, time: time, order: order)
        return value
    }

    /// Performs a write and records it.
    ///
    /// - Parameter write: performs the write and returns the new value. The replaced one is unknown.
    /// - Returns: the new value.
    @inlinable @inline(__always) package func append(
        _ kind: EventKind, thread: UInt16, object: UInt32, site: SourceSite, writing write: () -> Int
    ) -> Int {
        LaneCursor.announce(cursor)
        let value = write()
        append(kind, thread: thread, object: object, value: Int64(value), site: site, time: LaneCursor.now(cursor))
        return value
    }

    /// Performs a write to an atomic and records it.
    ///
    /// - Parameter write: performs the write and returns the values before and afterwards.
    /// - Returns: the value before.
    @inlinable @inline(__always) package func append(
        _ kind: EventKind, thread: UInt16, object: UInt32, site: SourceSite, order: MemoryOrder = .seqcst,
        updating write: () -> (old: Int, new: Int)
    ) -> Int {
        LaneCursor.announceWrite(cursor)
        let (old, new) = write()
        let event = RecordedEvent(
            time: LaneCursor.afterwards(cursor), site: site, value: Int64(new), object: object, thread: thread,
            kind: kind, order: order)
        LaneCursor.put(event, old: Int64(old), cursor)
        return old
    }

    /// Performs a compare-exchange and records it: a write if it succeeds, otherwise a read.
    ///
    /// - Parameters:
    ///   - order: its memory order if it succeeds.
    ///   - failure: the same if it fails.
    /// - Returns: the value before.
    @inlinable @inline(__always) package func append(
        thread: UInt16, object: UInt32, site: SourceSite, to new: Int, order: MemoryOrder = .seqcst,
        failure: MemoryOrder = .seqcst, comparing exchange: () -> (done: Bool, old: Int)
    ) -> Int {
        LaneCursor.announceWrite(cursor)
        let before = LaneCursor.now(cursor)
        let (done, old) = exchange()
        if done {
            let event = RecordedEvent(
                time: LaneCursor.afterwards(cursor), site: site, value: Int64(new), object: object, thread: thread,
                kind: .atomicUpdate, order: order)
            LaneCursor.put(event, old: Int64(old), cursor)
        } else {
            append(
                .atomicMismatch, thread: thread, object: object, value: Int64(old), site: site, time: before,
                order: failure)
        }
        return old
    }

    /// Reserves this moment for an event whose fields are not known yet: `append` it with this time, or `cancel`.
    package func reserve() -> UInt64 {
        LaneCursor.announce(cursor)
        return LaneCursor.now(cursor)
    }

    /// Cancels the reservation.
    package func cancel() { LaneCursor.retract(cursor) }

    /// Records the calling thread as the owner of this lane, for an observer of the process.
    package func setKernelThread(_ id: Int32) { cursor.pointee.setKernelThread(id) }
}

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
