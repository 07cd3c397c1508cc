import Trace

/// The locks that one thread holds, in the order in which it took them.
struct HoldStack {
    private(set) var holds: [Hold] = []

    /// - Returns: false if the thread already held the lock and now holds it another time.
    mutating func take(_ hold: Hold) -> Bool {
        for index in holds.indices where holds[index].object == hold.object {
            holds[index].depth += 1
            return false
        }
        holds.append(hold)
        return true
    }

    /// - Returns: whether the thread no longer holds the lock.
    mutating func giveBack(_ object: ObjectID) -> Bool {
        guard let index = holds.lastIndex(where: { $0.object == object }) else { return false }
        holds[index].depth -= 1
        guard holds[index].depth == 0 else { return false }
        holds.remove(at: index)
        return true
    }
}

extension [ThreadID] {
    mutating func removeFirst(_ thread: ThreadID) {
        if let index = firstIndex(of: thread) { remove(at: index) }
    }
}
