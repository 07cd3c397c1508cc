/// What events see of each other: happens-before, as RC11 defines it with the release sequences of C++20. Data races are
/// judged by it under every model.
extension ExecutionGraph {
    /// The read reads the message.
    @inline(always) package func read(_ event: UnsafeMutablePointer<GraphEvent>, from source: EventName) {
        event.pointee.source = source
        if source == .none { return }
        event.pointee.value = word(of: source, event.pointee.object)
        if source == .initial { return }
        let message = self.event(source)
        prefixOf(event).merge(message.pointee.prefix)
        if event.pointee.order.acquires {
            seenBy(event).merge(message.pointee.published)
        } else {
            let old = event.pointee.pending
            let new = message.pointee.published
            event.pointee.pending = old.replacing(with: new, where: new .> old)
        }
    }

    /// The event writes a message.
    ///
    /// - Parameter place: in modification order.
    @inline(always) package func write(
        _ word: Int, _ event: UnsafeMutablePointer<GraphEvent>, _ name: EventName, at place: Int
    ) {
        event.pointee.word = word
        event.pointee.published = event.pointee.order.releases ? event.pointee.seen : event.pointee.fenced
        if event.pointee.kind == .storeOfUpdate, event.pointee.source != .initial {
            // An update continues the release sequence of what it reads.
            let old = event.pointee.published
            let new = self.event(event.pointee.source).pointee.published
            event.pointee.published = old.replacing(with: new, where: new .> old)
        }
        insert(name, event, at: place)
    }

    /// The event is a fence.
    @inline(always) package func fence(_ event: UnsafeMutablePointer<GraphEvent>) {
        if event.pointee.order.acquires { seenBy(event).merge(event.pointee.pending) }
        if event.pointee.order.releases { event.pointee.fenced = event.pointee.seen }
    }

    /// The event comes after the other one, which orders nothing else.
    package func come(_ event: UnsafeMutablePointer<GraphEvent>, after other: EventName) {
        prefixOf(event).merge(self.event(other).pointee.prefix)
    }

    /// The event's thread begins with what the starter has seen; or the event joins a thread that has ended.
    @inline(always) package func follow(
        _ event: UnsafeMutablePointer<GraphEvent>, _ other: UnsafeMutablePointer<GraphEvent>
    ) {
        prefixOf(event).merge(other.pointee.prefix)
        seenBy(event).merge(other.pointee.seen)
    }
}
