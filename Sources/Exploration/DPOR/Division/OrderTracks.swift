import Machine

/// Which threads change which objects in random walks, and how often. A *track* is the sequence of one thread's changes
/// of one object.
struct OrderTracks {
    struct Track {
        let thread: UInt16
        /// The object's index in `objects`.
        let object: Int
        /// The number of changes in the walk that is being run, and the greatest number in an earlier one.
        var count = 0
        var most = 0
    }

    struct Object {
        let identity: ObjectIdentity
        /// The indices in `all` of the tracks of this object.
        var tracks: [Int] = []
        /// Whether equivalent executions change the object in the same order.
        var isFit = true
    }

    private struct Key: Hashable {
        let thread: UInt16
        let object: ObjectIdentity
    }

    private(set) var all: [Track] = []
    private(set) var objects: [Object] = []
    /// The indices of the tracks in `all`, and of the objects in `objects`.
    private var numbers: [Key: Int] = [:]
    private var objectNumbers: [ObjectIdentity: Int] = [:]

    /// Begins a walk.
    mutating func begin() { for track in all.indices { all[track].count = 0 } }
    /// Ends a walk.
    mutating func keep() { for track in all.indices { all[track].most = max(all[track].most, all[track].count) } }

    /// The index of the track of the thread's next step. Nil: the step is not of a kind that always changes its object.
    mutating func next(of thread: UInt16, _ state: MachineState) -> Int? {
        let operation = state.operation(of: Int(thread))
        guard OrderedStep.counts(operation.kind), state.thread(Int(thread)).status == .announced else { return nil }
        return number(of: Key(thread: thread, object: state.identity(of: operation.object)))
    }

    private mutating func number(of key: Key) -> Int {
        if let known = numbers[key] { return known }
        let object = objectNumbers[key.object] ?? objects.count
        if object == objects.count {
            objects.append(Object(identity: key.object))
            objectNumbers[key.object] = object
        }
        let track = all.count
        numbers[key] = track
        objects[object].tracks.append(track)
        all.append(Track(thread: key.thread, object: object))
        return track
    }

    /// The thread of the track takes its next step on the object.
    ///
    /// - Parameter isChange: whether the step changes the object in this state.
    mutating func take(_ track: Int, isChange: Bool) {
        all[track].count += 1
        if !isChange { objects[all[track].object].isFit = false }
    }

    /// Whether another thread may change the same object, now or soon. A thread that is about to join another does not
    /// count.
    func isContended(_ track: Int, _ state: MachineState) -> Bool {
        objects[all[track].object].tracks.contains { other in
            let thread = Int(all[other].thread)
            return other != track && all[other].count < all[other].most && thread < state.threadCount
                && state.thread(thread).status == .announced && state.operation(of: thread).kind != .join
        }
    }
}
