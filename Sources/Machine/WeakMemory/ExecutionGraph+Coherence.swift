/// Coherence, which means that a thread's accesses of each object agree with modification order; and other questions
/// about an object's messages.
extension ExecutionGraph {
    /// The place of the oldest message of the object that the thread's next event can read. A new message of the thread
    /// goes to a later place.
    ///
    /// Under rc11 it is the newest of the messages that the events that happen before the next event have read or
    /// written. Under the other models only the thread's own events count here: `isInNoCycle` examines the rest.
    @inline(always) package func lowestPlace(_ object: UInt32, for thread: Int) -> Int {
        let column = Int(object)
        if counts[thread] == 0 { return 0 }
        if model != .rc11 {
            var index = last[thread &* objectCount &+ column]
            if index > 0, isWaiting(event(thread, Int(index))) { index = event(thread, Int(index)).pointee.previous }
            return index == 0 ? 0 : place(touchedBy: event(thread, Int(index)))
        }
        let seen = seenBy(lastEvent(of: thread))
        var lowest = 0
        for other in 0..<threadCount {
            var index = last[other &* objectCount &+ column]
            if index == 0 { continue }
            let known = Int32(truncatingIfNeeded: seen.entry(other))
            while index > known || (index > 0 && isWaiting(event(other, Int(index)))) {
                index = event(other, Int(index)).pointee.previous
            }
            if index > 0 { lowest = max(lowest, place(touchedBy: event(other, Int(index)))) }
        }
        return lowest
    }

    /// Whether the event is a load that has nothing to read yet.
    private func isWaiting(_ event: UnsafeMutablePointer<GraphEvent>) -> Bool {
        event.pointee.kind == .load && event.pointee.source == .none
    }

    /// The place of the message that an event on an atomic reads or writes.
    @inline(always) func place(touchedBy event: UnsafeMutablePointer<GraphEvent>) -> Int {
        if event.pointee.kind.writes { return Int(event.pointee.place) }
        return event.pointee.source == .none ? 0 : place(of: event.pointee.source)
    }

    /// The thread that holds the mutex, which has events `lock` and `unlock`: the thread whose lock reads the last
    /// message, an unlock. Nil: it is free.
    package func holder(of object: UInt32) -> Int? {
        let message = message(object, at: messageCount(of: object) - 1)
        for thread in 0..<threadCount {
            var index = last[thread &* objectCount &+ Int(object)]
            while index > 0 {
                let event = self.event(thread, Int(index))
                if event.pointee.kind == .lock && event.pointee.source == message { return thread }
                index = event.pointee.previous
            }
        }
        return nil
    }

    /// Whether no newer message of the object was added up to the stamp or is contained in the prefix.
    @inline(always) package func isNewest(
        _ message: EventName, _ object: UInt32, at stamp: Int32, or prefix: GraphClock
    ) -> Bool {
        let list = messages(of: Int(object))
        var place = self.place(of: message) + 1
        while place < messageCounts[Int(object)] {
            let name = list[place]
            if event(name).pointee.stamp <= stamp || entry(prefix, name.thread) >= name.index { return false }
            place += 1
        }
        return true
    }

    /// Whether the message is read by an event that was in the graph before it (see `GraphEvent.revisited`).
    @inline(always) package func isReadBackwards(_ name: EventName) -> Bool {
        let message = event(name)
        let reader = message.pointee.revisited
        if reader == .none || counts[reader.thread] < reader.index { return false }
        let read = event(reader)
        return read.pointee.source == name && read.pointee.stamp < message.pointee.stamp
            && (read.pointee.kind.reads || read.pointee.kind == .lock)
    }

    /// Whether the message at this place is an update of the one before it, so that no other message can come between
    /// them.
    @inline(always) package func isUpdated(_ object: UInt32, before place: Int) -> Bool {
        guard place < messageCounts[Int(object)] else { return false }
        let list = messages(of: Int(object))
        let next = event(list[place])
        return next.pointee.kind == .storeOfUpdate && next.pointee.source == list[place - 1]
    }
}
