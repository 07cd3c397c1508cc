import Dispatch

/// Passes events to handlers, one event at a time.
public final class EventBus<Event: Sendable>: @unchecked Sendable {
    public typealias Handler = @Sendable (Event) -> Void

    private let queue: DispatchQueue
    private var handlers: [Handler] = []
    private let callsOutside: Bool

    /// - Parameter callsOutside: without it the class has its bug.
    public init(_ name: String, callsOutside: Bool = false) {
        queue = DispatchQueue(label: name)
        self.callsOutside = callsOutside
    }

    public func subscribe(_ handler: @escaping Handler) { queue.sync { handlers.append(handler) } }

    /// Calls every handler.
    ///
    /// The bug: it calls them on its queue. Two buses whose handlers publish on the other one wait for each other.
    public func publish(_ event: Event) {
        if callsOutside {
            for handler in queue.sync(execute: { handlers }) { handler(event) }
        } else {
            queue.sync { for handler in handlers { handler(event) } }
        }
    }
}
