import CLab
import Synchronization

/// The writing end of one thread's log of events in a recording. Used by one thread at a time. Recording an event needs
/// no lock, and no system call unless a new chunk of memory is needed.
///
/// It is a handle to memory that the recorder owns, so keep the recorder while lanes are in use.
package struct Lane: @unchecked Sendable {
    package let cursor: UnsafeMutablePointer<LaneCursor>

    init(_ cursor: UnsafeMutablePointer<LaneCursor>) { self.cursor = cursor }

    /// Records an event that happens now.
    @inlinable @inline(__always) package func append(
        _ kind: EventKind, thread: UInt16, object: UInt32 = 0, value: Int64 = 0, site: SourceSite
    ) {
        // The event is announced first, so that a reader knows that one with about this time is still to come.
        LaneCursor.announce(cursor)
        let time = LaneCursor.now(cursor)
        append(kind, thread: thread, object: object, value: value, site: site, time: time)
    }

    /// Records an event with a given time, in units of the recording's clock. Times on one lane must not decrease.
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
    /// - Parameter remark: the number of the remark: `Recorder.number(of:)`.
    package func append(remark: UInt8, thread: UInt16, object: UInt32, value: Int64, site: SourceSite) {
        LaneCursor.announce(cursor)
        append(
            remark: remark, thread: thread, object: object, value: value, site: site, time: LaneCursor.now(cursor))
    }

    /// Records a remark with a given time.
    package func append(
        remark: UInt8, thread: UInt16, object: UInt32, value: Int64, site: SourceSite, time: UInt64
    ) {
        LaneCursor.put(
            RecordedEvent(time: time, site: site, value: value, object: object, thread: thread, remark: remark), cursor)
    }

    // MARK: - Memory

    // The thread announces the operation, performs it, and records it. A read is stamped before it is performed, a
    // write afterwards, so that a read of the old value always has the earlier time. A read of the new value may have
    // an earlier time too, but there the values decide (`MergeOrder`).

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
    /// - Parameter write: performs the write, and returns the new value. The old value is unknown.
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
    /// - Parameter write: performs the write, and returns the old and the new value.
    /// - Returns: the old value.
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
    ///   - failure: its memory order if it fails.
    /// - Returns: the old value.
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

    /// Announces an event whose fields are not known yet, and returns its time. Follow it by `append` with this time,
    /// or by `cancel`.
    package func reserve() -> UInt64 {
        LaneCursor.announce(cursor)
        return LaneCursor.now(cursor)
    }

    /// Withdraws the announcement of `reserve`.
    package func cancel() { LaneCursor.retract(cursor) }

    /// Records the kernel's number of the thread to which this lane belongs, for an observer of the process.
    package func setKernelThread(_ id: Int32) { cursor.pointee.setKernelThread(id) }
}

/// The state of a lane's writing end. It has only plain words, so that recording an event counts no references and
/// copies nothing. Its methods take a pointer to it for the same reason.
package struct LaneCursor {
    /// Where the next event is written.
    package var next: UnsafeMutablePointer<RecordedEvent>
    /// The end of the chunk.
    package var end: UnsafeMutablePointer<RecordedEvent>
    /// The number of published records.
    package var count: UInt64 = 0
    /// The word `RecordingLayout.LaneRecord.state` in the recording's memory.
    package let state: UnsafeMutablePointer<Atomic<UInt64>>
    /// Whether times are ticks of the processor's counter, and not nanoseconds.
    package let readsTicks: Bool
    /// Owned by the recorder.
    private let supply: Unmanaged<ChunkSupply>

    init(supply: Unmanaged<ChunkSupply>, memory: RecordingMemory, record: Int?, clock: RecordingClock) {
        self.supply = supply
        readsTicks = clock == .ticks
        // There is no chunk yet. The first event takes one.
        next = memory.base.assumingMemoryBound(to: RecordedEvent.self)
        end = next
        // A lane beyond the limit publishes to the last word of the header, which is never read.
        let state = record.map { $0 + RecordingLayout.LaneRecord.state } ?? RecordingLayout.Header.length - 8
        self.state = memory.word(state)
    }

    /// Announces an event: a reader then takes no later events of other lanes until this one is published.
    ///
    /// If possible, room for the event is allocated first. A reader that waits for an announced event returns no
    /// chunks, so a thread that waited for a chunk after its announcement would wait for that reader, and the reader
    /// for it.
    ///
    /// The store may still be in the processor's store buffer when the clock is read. A reader allows for that by
    /// waiting longer (`LaneMerge.slack`, 1 ms).
    @inlinable @inline(__always) package static func announce(_ cursor: UnsafeMutablePointer<LaneCursor>) {
        if cursor.pointee.next == cursor.pointee.end { _ = takeChunk(cursor) }
        cursor.pointee.state.pointee.store(cursor.pointee.count &<< 1 | 1, ordering: .relaxed)
    }

    /// Announces a write, which may need two records.
    @inlinable @inline(__always) package static func announceWrite(_ cursor: UnsafeMutablePointer<LaneCursor>) {
        if cursor.pointee.end - cursor.pointee.next < 2 { makeRoomForTwo(cursor) }
        cursor.pointee.state.pointee.store(cursor.pointee.count &<< 1 | 1, ordering: .relaxed)
    }

    /// Ensures that both records fit in one chunk, because the writer must not wait for another chunk between them.
    @inline(never) package static func makeRoomForTwo(_ cursor: UnsafeMutablePointer<LaneCursor>) {
        // Fills the last place of the chunk.
        if cursor.pointee.next < cursor.pointee.end { put(RecordedEvent(supplement: 0), cursor) }
        _ = takeChunk(cursor)
    }

    /// Withdraws the announcement.
    @inlinable @inline(__always) package static func retract(_ cursor: UnsafeMutablePointer<LaneCursor>) {
        cursor.pointee.state.pointee.store(cursor.pointee.count &<< 1, ordering: .releasing)
    }

    /// The time on the recording's clock.
    @inlinable @inline(__always) package static func now(_ cursor: UnsafeMutablePointer<LaneCursor>) -> UInt64 {
        cursor.pointee.readsTicks ? clab_ticks() : RecordingClock.nanoseconds()
    }

    /// The time when all earlier instructions have completed.
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

    /// Writes and publishes an event that replaced a value. `announceWrite` must come first.
    @inlinable @inline(__always) package static func put(
        _ event: RecordedEvent, old: Int64, _ cursor: UnsafeMutablePointer<LaneCursor>
    ) {
        var event = event
        if event.setOld(old) { put(event, cursor) } else { putBoth(event, old, cursor) }
    }

    /// Writes and publishes an event and the supplement with its old value.
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

    /// Takes another chunk for more events. Returns false if there is none.
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
