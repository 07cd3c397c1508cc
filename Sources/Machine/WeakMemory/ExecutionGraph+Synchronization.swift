/// What events have seen of each other: happens-before, as RC11 defines it, with the release sequences of C++20. It
/// decides about data races under every model.
extension ExecutionGraph {
    /// Makes the event, a read, read the message.
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

    /// Makes the event, a write, a message with this word.
    ///
    /// - Parameter place: its place in modification order.
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

    /// Applies the effect of a fence to the event.
    @inline(always) package func fence(_ event: UnsafeMutablePointer<GraphEvent>) {
        if event.pointee.order.acquires { seenBy(event).merge(event.pointee.pending) }
        if event.pointee.order.releases { event.pointee.fenced = event.pointee.seen }
    }

    /// Makes the event depend on the other one. It does not thereby see what the other one has seen.
    package func come(_ event: UnsafeMutablePointer<GraphEvent>, after other: EventName) {
        prefixOf(event).merge(self.event(other).pointee.prefix)
    }

    /// Makes the event depend on the other one and see what it has seen: it is the start of a thread after its spawn,
    /// or a join after the last event of the thread that has ended.
    @inline(always) package func follow(
        _ event: UnsafeMutablePointer<GraphEvent>, _ other: UnsafeMutablePointer<GraphEvent>
    ) {
        prefixOf(event).merge(other.pointee.prefix)
        seenBy(event).merge(other.pointee.seen)
    }
}
