/// What other threads ask of a loop. Accessed only with the loop's lock held.
struct LoopRequests {
    var isWoken = false
    var isStopped = false
    /// The calls that have not been begun, in the order in which they are to be made.
    var performers: [Performer] = []
    /// One entry for each message that has arrived at a port of the loop and has not been handled, in order.
    var arrivals: [Port] = []

    /// Inserts the call behind those of its order and below.
    mutating func add(_ performer: Performer) {
        let index = performers.firstIndex { $0.order > performer.order } ?? performers.endIndex
        performers.insert(performer, at: index)
    }

    /// Inserts calls that were taken before those of their order.
    mutating func putBack(_ taken: ArraySlice<Performer>) {
        for performer in taken.reversed() where !performer.isCancelled.value {
            let index = performers.firstIndex { $0.order >= performer.order } ?? performers.endIndex
            performers.insert(performer, at: index)
        }
    }

    /// Removes and returns the calls for these modes.
    mutating func takePerformers(for modes: [RunLoop.Mode]) -> [Performer] {
        let taken = performers.filter { $0.isFor(modes) }
        performers.removeAll { $0.isFor(modes) }
        return taken
    }

    /// Removes and returns the first message's port among these.
    mutating func takeArrival(at ports: [Port]) -> Port? {
        guard let index = arrivals.firstIndex(where: { port in ports.contains { $0 === port } }) else { return nil }
        return arrivals.remove(at: index)
    }

    func concern(_ modes: [RunLoop.Mode], _ ports: [Port]) -> Bool {
        isWoken || isStopped || performers.contains { $0.isFor(modes) }
            || arrivals.contains { port in ports.contains { $0 === port } }
    }
}

extension Performer {
    func isFor(_ modes: [RunLoop.Mode]) -> Bool { self.modes.contains(where: modes.contains) }
}
