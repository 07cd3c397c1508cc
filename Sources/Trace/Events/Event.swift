/// One thing that one thread did, or that happened to the run as a whole.
///
/// Names, sites and texts are indices into the tables of the `TraceDocument` that holds the event, so that an event is
/// a plain value of fixed size and a detector compares integers.
package struct Event: Equatable, Sendable {
    /// Nanoseconds since the run began: the monotonic clock's when native, the virtual clock's when controlled.
    package var time: UInt64
    package var kind: EventKind
    package var thread: ThreadID
    package var object: ObjectID
    package var site: SiteID
    /// The words of a remark.
    package var remark: RemarkID
    /// Its meaning depends on the kind (`EventKind.meaning`), or on the remark: `TraceDocument.meaning(of:)`.
    package var value: Int64

    /// Represents a value that is not a number: such an event is shown without one.
    package static let noNumber = Int64.min

    package init(
        time: UInt64, thread: ThreadID, kind: EventKind, object: ObjectID = .none, value: Int64 = 0,
        site: SiteID = .unknown, remark: RemarkID = .none
    ) {
        self.time = time
        self.kind = kind
        self.thread = thread
        self.object = object
        self.site = site
        self.remark = remark
        self.value = value
    }
    /// The thread that the value refers to. Nil if the kind's value is not a thread, or no thread can have that number.
    package var valueAsThread: ThreadID? {
        guard kind.meaning == .thread, let index = UInt16(exactly: value) else { return nil }
        return ThreadID(Int(index))
    }

    /// The object that the value refers to. Nil if the kind's value is not an object, or no object can have that
    /// number.
    package var valueAsObject: ObjectID? {
        guard kind.meaning == .object, let index = UInt32(exactly: value) else { return nil }
        return ObjectID(Int(index))
    }
}
