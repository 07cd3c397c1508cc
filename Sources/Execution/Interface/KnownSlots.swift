import Trace

/// An object that refers to other objects of its run, and must release them when the run ends.
package protocol RunBound: AnyObject, Sendable {
    /// Releases references to other objects of the run, which may refer back to it.
    func runHasEnded()
}

/// What the primitives of a run share and the program does not see: thread-local slots, objects of the main thread, and
/// some objects of which a run has only one. Each is made when first needed.
package final class KnownSlots: Sendable {
    /// The purposes of slots. Each purpose has one slot, with a value for each thread.
    package enum Slot: Int, CaseIterable, Sendable {
        case dictionary, runLoop, exitNotices, autoreleasePools, mainQueue, globalQueue, dropInThread
        case dropInOperationQueue
    }

    private let keys = Guarded([Int?](repeating: nil, count: Slot.allCases.count))

    /// The objects that only the main thread makes. The main thread's slots own them.
    package enum MainObject: Int, CaseIterable, Sendable { case loop, queue, globalQueue }

    private let mainObjects = Guarded([WeakReference](repeating: WeakReference(), count: MainObject.allCases.count))
    private let queues = Guarded<(any RunBound)?>(nil)
    /// The other objects that the run shares, one of each type, in the order in which they were made.
    private let shared = Guarded<[(type: ObjectIdentifier, object: any RunBound)]>([])
    /// The run loops that may still exist.
    private let loops = Guarded<[WeakBound]>([])

    private struct WeakBound: Sendable {
        weak let object: (any RunBound)?
    }

    private struct WeakReference: @unchecked Sendable {
        weak var object: AnyObject?
        /// Whether the main thread was the only one when it made the object.
        var wasEarly = false
    }

    /// The object of the main thread, if it exists; and whether no other thread existed when it was made, so that every
    /// thread can find it without synchronization.
    package func mainObject(_ kind: MainObject) -> (object: AnyObject?, wasEarly: Bool) {
        let reference = mainObjects.withLock { $0[kind.rawValue] }
        return (reference.object, reference.wasEarly)
    }

    package func setMainObject(_ kind: MainObject, _ object: AnyObject, isEarly: Bool) {
        let reference = WeakReference(object: object, wasEarly: isEarly)
        mainObjects.withLock { $0[kind.rawValue] = reference }
    }

    /// The object that the queues of the run share, made when first needed.
    package func queues(_ make: @Sendable () -> any RunBound) -> any RunBound {
        queues.withLock { queues in
            if let queues { return queues }
            let new = make()
            queues = new
            return new
        }
    }

    /// The run's object of this type, made when first needed. The search is linear, because there are only a few types.
    package func shared<Object: RunBound>(_ make: @Sendable () -> Object) -> Object {
        shared.withLock { shared in
            let type = ObjectIdentifier(Object.self)
            if let present = shared.first(where: { $0.type == type }) {
                return unsafeDowncast(present.object, to: Object.self)
            }
            let new = make()
            shared.append((type, new))
            return new
        }
    }

    /// Adds a run loop, whose references must be released at the end of the run.
    package func add(_ loop: any RunBound) { loops.withLock { $0.append(WeakBound(object: loop)) } }

    /// Removes and returns the objects to notify that a controlled run is over, after its last thread has ended.
    func takeBound() -> [any RunBound] {
        let queues = queues.withLock { queues in
            defer { queues = nil }
            return queues
        }
        let loops = loops.withLock { loops in
            if loops.isEmpty { return loops }
            defer { loops = [] }
            return loops
        }
        let shared = shared.withLock { shared in
            if shared.isEmpty { return shared }
            defer { shared = [] }
            return shared
        }
        if queues == nil && loops.isEmpty && shared.isEmpty { return [] }
        return shared.map(\.object) + (queues.map { [$0] } ?? []) + loops.compactMap(\.object)
    }

    /// Forgets the slots and main objects, for the next execution.
    func forget() {
        keys.withLock { keys in for index in keys.indices { keys[index] = nil } }
        mainObjects.withLock { for index in $0.indices { $0[index] = WeakReference() } }
    }

    /// The key of the slot.
    ///
    /// - Parameter make: makes a key, if the slot has none yet. Returns nil if the system has no keys left.
    func key(of slot: Slot, make: () -> Int?) -> Int {
        keys.withLock { keys in
            if let key = keys[slot.rawValue] { return key }
            guard let key = make() else { preconditionFailure("the system has no thread-local key left") }
            keys[slot.rawValue] = key
            return key
        }
    }
}
