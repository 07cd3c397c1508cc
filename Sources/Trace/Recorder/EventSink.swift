/// Receives the events of one run, in the order in which they happened.
///
/// Used by one OS thread at a time. Native threads, which need one writer each, use a `Lane` instead.
package protocol EventSink: AnyObject {
    func append(
        _ kind: EventKind, thread: Int, object: UInt32, value: Int, site: SourceSite, time: Int)

    /// Appends a remark.
    func append(_ remark: Remark, thread: Int, object: UInt32, value: Int, site: SourceSite, time: Int)

    /// Gives a thread its name. Called before its first event.
    func declareThread(_ thread: Int, name: String)

    /// Gives an object its kind, name and creator. Called before its first event.
    func declareObject(_ object: UInt32, kind: ObjectKind, name: String, maker: ThreadID)

    /// Stores a text, and returns the number by which an event refers to it.
    func text(_ text: String) -> Int
}
