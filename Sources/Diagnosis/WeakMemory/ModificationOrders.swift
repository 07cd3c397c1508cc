import Trace

/// The modification order of each atomic in a run under a weaker memory model. For each write, and first for the
/// initial value, it holds a *message*: what the user of this type wants to know of the write, such as a clock.
struct ModificationOrders<Message> {
    private var messages: PerObject<[Message]>
    /// By thread: how many messages are newer than the one that its next operation on an atomic reads or makes.
    private var newer = PerThread<Int>(0)

    init(initial: Message) { messages = PerObject([initial]) }

    /// The messages of the atomic, the newest last.
    subscript(_ object: ObjectID) -> [Message] { messages[object] }

    /// - Parameter event: an event that precedes an operation of its thread, and says how many messages are newer.
    mutating func note(_ event: Event) { newer[event.thread] = Int(clamping: event.value) }

    /// Returns the number of messages that are newer than the one that the operation reads or makes, and resets it.
    /// Must be called once for each operation.
    mutating func takeNewer(_ event: Event) -> Int {
        defer { newer[event.thread] = 0 }
        return min(max(0, newer[event.thread]), messages[event.object].count - 1)
    }

    /// The message of the write that an operation reads.
    func source(_ object: ObjectID, newer: Int) -> Message {
        messages[object][messages[object].count - 1 - newer]
    }

    /// Inserts the message of a new write: before the `newer` last ones. An update directly follows the write that it
    /// reads.
    mutating func insert(_ message: Message, _ object: ObjectID, newer: Int) {
        messages[object].insert(message, at: messages[object].count - newer)
    }
}
