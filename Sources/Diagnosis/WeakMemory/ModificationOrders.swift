import Trace

/// The messages of each atomic in modification order, in a run under a weaker memory model: a value for each write. The
/// first one is for the initial value.
struct ModificationOrders<Message> {
    private var messages: PerObject<[Message]>
    /// By thread: the number of messages that are newer than the one that its next operation on an atomic reads or
    /// makes.
    private var newer = PerThread<Int>(0)

    init(initial: Message) { messages = PerObject([initial]) }

    subscript(_ object: ObjectID) -> [Message] { messages[object] }

    /// - Parameter event: says how many messages the thread's next operation does not see, or precedes.
    mutating func note(_ event: Event) { newer[event.thread] = Int(clamping: event.value) }

    /// The number of messages that are newer than the one that the operation reads or makes. Must be asked once for
    /// each operation.
    mutating func takeNewer(_ event: Event) -> Int {
        defer { newer[event.thread] = 0 }
        return min(max(0, newer[event.thread]), messages[event.object].count - 1)
    }

    /// The message that an operation reads.
    func source(_ object: ObjectID, newer: Int) -> Message {
        messages[object][messages[object].count - 1 - newer]
    }

    /// Inserts the message of a write, or of an update, which directly follows the message that it reads.
    mutating func insert(_ message: Message, _ object: ObjectID, newer: Int) {
        messages[object].insert(message, at: messages[object].count - newer)
    }
}
