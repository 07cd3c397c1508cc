import Trace

/// Locks and semaphores in a search of graphs: each step that changes one is an update of its word (`ObjectWord`),
/// which is a read event and a write event.
extension ExecutionGraph {
    /// Whether the object is such a lock or semaphore: the steps on it are in one order, in which each finds what the
    /// one before has left.
    @inline(always) package func isOrdered(_ object: UInt32) -> Bool { areOrdered[Int(object)] }

    /// Makes the event the read of a step on a lock or semaphore, which finds this message.
    package func find(_ event: UnsafeMutablePointer<GraphEvent>, _ message: EventName, _ act: Act) {
        event.pointee.source = message
        if message == .none { return }
        event.pointee.value = word(of: message, event.pointee.object)
        if message != .initial { prefixOf(event).merge(self.event(message).pointee.prefix) }
        switch act.row.order {
        case .acquires: acquire(event, message, fromReaders: false)
        case .acquiresFromReaders: acquire(event, message, fromReaders: true)
        case .nothing, .publishes, .addsToPublished, .publishesToWriters: break
        case .acquiresAndPublishes, .publishesMutex, .acquiresMutex, .readsPlainly, .writesPlainly, .joins, .loads,
            .stores, .updates, .mismatches, .fences:
            preconditionFailure("no lock or semaphore orders so")
        }
    }

    /// Makes the event the write of a step on a lock or semaphore, which leaves this word. The event's value
    /// becomes the act, which decides what later steps acquire.
    package func leave(
        _ word: Int, _ event: UnsafeMutablePointer<GraphEvent>, _ name: EventName, after source: EventName, _ act: Act,
        at place: Int
    ) {
        event.pointee.source = source
        event.pointee.word = word
        event.pointee.value = Int(act.rawValue)
        insert(name, event, at: place)
    }

    /// Lets the event see what earlier steps on the object have passed on: the step of this message and those before
    /// it.
    private func acquire(_ event: UnsafeMutablePointer<GraphEvent>, _ message: EventName, fromReaders: Bool) {
        var name = message
        while name != .initial {
            let earlier = self.event(name)
            switch Act(rawValue: UInt8(earlier.pointee.value))!.row.order {
            // A step that publishes has itself acquired what was published before.
            case .publishes: return seenBy(event).merge(earlier.pointee.seen)
            case .addsToPublished: seenBy(event).merge(earlier.pointee.seen)
            case .publishesToWriters: if fromReaders { seenBy(event).merge(earlier.pointee.seen) }
            case .nothing, .acquires, .acquiresFromReaders, .acquiresAndPublishes, .publishesMutex, .acquiresMutex,
                .readsPlainly, .writesPlainly, .joins, .loads, .stores, .updates, .mismatches, .fences:
                break
            }
            name = earlier.pointee.source
        }
    }
}
