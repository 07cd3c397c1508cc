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
        _ kind: EventKind, thread: UInt16, object: UInt32 = 0, value: Int64 = 0, site: SourceSite, time: UInt64
    ) {
        LaneCursor.put(
            RecordedEvent(time: time, site: site, value: value, object: object, thread: thread, kind: kind), cursor)
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
        _ kind: EventKind, thread: UInt16, object: UInt32, site: SourceSite, reading read: () -> Int
    ) -> Int {
        LaneCursor.announce(cursor)
        let time = LaneCursor.now(cursor)
        let value = read()
        append(kind, thread: thread, object: object, value: Int64(value), site: site, time: time)
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
        _ kind: EventKind, thread: UInt16, object: UInt32, site: SourceSite, updating write: () -> (old: Int, new: Int)
    ) -> Int {
        LaneCursor.announceWrite(cursor)
        let (old, new) = write()
        let event = RecordedEvent(
            time: LaneCursor.afterwards(cursor), site: site, value: Int64(new), object: object, thread: thread,
            kind: kind)
        LaneCursor.put(event, old: Int64(old), cursor)
        return old
    }

    /// Performs a compare-exchange and records it: a write if it succeeds, otherwise a read.
    ///
    /// - Returns: the value before.
    @inlinable @inline(__always) package func append(
        thread: UInt16, object: UInt32, site: SourceSite, to new: Int, comparing exchange: () -> (done: Bool, old: Int)
    ) -> Int {
        LaneCursor.announceWrite(cursor)
        let before = LaneCursor.now(cursor)
        let (done, old) = exchange()
        if done {
            let event = RecordedEvent(
                time: LaneCursor.afterwards(cursor), site: site, value: Int64(new), object: object, thread: thread,
                kind: .atomicUpdate)
            LaneCursor.put(event, old: Int64(old), cursor)
        } else {
            append(.atomicMismatch, thread: thread, object: object, value: Int64(old), site: site, time: before)
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
