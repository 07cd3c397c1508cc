/// Plain memory. As long as nothing races, a read of a cell can find only one value: that of the last write that
/// happens before it.
extension ExecutionGraph {
    /// An access in the graph that races with this one, which was added last: nothing orders the two. Nil: there is
    /// none.
    package func race(of access: UnsafeMutablePointer<GraphEvent>, by thread: Int) -> EventName? {
        let seen = seenBy(access)
        let object = Int(access.pointee.object)
        for other in 0..<threadCount where other != thread {
            var index = last[other &* objectCount &+ object]
            let known = Int32(truncatingIfNeeded: seen.entry(other))
            while index > known {
                let earlier = event(other, Int(index))
                if access.pointee.kind == .write || earlier.pointee.kind == .write {
                    return EventName(other, Int(index))
                }
                index = earlier.pointee.previous
            }
        }
        return nil
    }

    /// The last write of a cell that an event of the thread has seen, not counting an access of the cell by the event
    /// itself. All writes that it has seen are ordered by happens-before, unless some of them race.
    package func latestWrite(
        of object: UInt32, before event: UnsafeMutablePointer<GraphEvent>, _ thread: Int
    ) -> EventName {
        let seen = seenBy(event)
        let isAccess = event.pointee.object == object
        var latest = EventName.initial
        for writer in 0..<threadCount {
            let isOwn = writer == thread && isAccess
            var index = isOwn ? event.pointee.previous : last[writer &* objectCount &+ Int(object)]
            let known = Int32(truncatingIfNeeded: seen.entry(writer))
            while index > known || (index > 0 && self.event(writer, Int(index)).pointee.kind != .write) {
                index = self.event(writer, Int(index)).pointee.previous
            }
            if index == 0 { continue }
            let found = EventName(writer, Int(index))
            if latest == .initial || contains(seenBy(self.event(found)), latest) { latest = found }
        }
        return latest
    }

    /// The value that the thread would read in a cell now.
    package func word(ofCell object: UInt32, seenBy thread: Int) -> Int {
        guard counts[thread] > 0 else { return initialWords[Int(object)] }
        let seen = lastEvent(of: thread)
        var latest = latestWrite(of: object, before: seen, thread)
        if seen.pointee.kind == .write && seen.pointee.object == object { latest = EventName(thread, counts[thread]) }
        return word(of: latest, object)
    }
}
