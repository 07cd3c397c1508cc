import Trace

/// The messages of each atomic in modification order, in a run under a weaker memory model: what is known of each of its
/// writes. The first one is the initial value.
struct ModificationOrders<Message> {
    private var messages: PerObject<[Message]>
    /// How many messages are newer than the one that the thread's next operation on an atomic reads or makes.
    private var newer = PerThread<Int>(0)

    init(initial: Message) { messages = PerObject([initial]) }

    subscript(_ object: ObjectID) -> [Message] { messages[object] }

    /// - Parameter event: one that says what the thread's next operation does not see, or goes before.
    mutating func note(_ event: Event) { newer[event.thread] = Int(clamping: event.value) }

    /// How many messages are newer than the one that the operation reads or makes. To be asked once for each operation.
    mutating func takeNewer(_ event: Event) -> Int {
        defer { newer[event.thread] = 0 }
        return min(max(0, newer[event.thread]), messages[event.object].count - 1)
    }

    /// The message that an operation reads.
    func source(_ object: ObjectID, newer: Int) -> Message {
        messages[object][messages[object].count - 1 - newer]
    }

    /// A write, or what an update stores, which comes directly after what it reads.
    mutating func insert(_ message: Message, _ object: ObjectID, newer: Int) {
        messages[object].insert(message, at: messages[object].count - newer)
    }
}
