import CLab
import Synchronization

/// Where one thread records. Used by one thread at a time; making an event takes no lock and no system call.
///
/// A handle: the recorder owns what it points to, so keep the recorder while lanes are in use.
package struct Lane: @unchecked Sendable {
    package let cursor: UnsafeMutablePointer<LaneCursor>

    init(_ cursor: UnsafeMutablePointer<LaneCursor>) { self.cursor = cursor }

    /// Records an event that happens now.
    @inlinable @inline(__always) package func append(
        _ kind: EventKind, thread: UInt16, object: UInt32 = 0, value: Int64 = 0, site: SourceSite
    ) {
        // First says that an event is on its way: a reader then knows not to go past this moment yet.
        LaneCursor.announce(cursor)
        let time = LaneCursor.now(cursor)
        append(kind, thread: thread, object: object, value: value, site: site, time: time)
    }

    /// Records an event of a given time, in units of the recording's clock. Times on one lane never go back.
    @inlinable @inline(__always) package func append(
        _ kind: EventKind, thread: UInt16, object: UInt32 = 0, value: Int64 = 0, site: SourceSite, time: UInt64
    ) {
        LaneCursor.put(
            RecordedEvent(time: time, site: site, value: value, object: object, thread: thread, kind: kind), cursor)
    }

    /// Reserves this moment for an event whose fields are not known yet: `append` it with this time, or `cancel`.
    package func reserve() -> UInt64 {
        LaneCursor.announce(cursor)
        return LaneCursor.now(cursor)
    }

    /// Gives up what was reserved.
    package func cancel() { LaneCursor.retract(cursor) }

    /// Notes the calling thread as the one whose lane this is, for whoever watches the process from outside.
    package func setKernelThread(_ id: Int32) { cursor.pointee.setKernelThread(id) }
}
