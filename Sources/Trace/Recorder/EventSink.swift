/// Where the events of one run go, in the order in which they happened.
///
/// Used from one OS thread at a time. Native threads, which need one writer each, use `Lane`s instead.
package protocol EventSink: AnyObject {
    func append(
        _ kind: EventKind, thread: Int, object: UInt32, value: Int, site: SourceSite, time: Int)

    /// Gives a thread its name. Called before its first event.
    func declareThread(_ thread: Int, name: String)

    /// Gives an object its kind and name, and says which thread made it. Called before its first event.
    func declareObject(_ object: UInt32, kind: ObjectKind, name: String, maker: ThreadID)

    /// Keeps a text, and returns the number that stands for it as an event's value.
    func text(_ text: String) -> Int
}
