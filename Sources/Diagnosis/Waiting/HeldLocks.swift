import Trace

/// The locks that each thread holds, and since which line.
package struct HeldLocks {
    /// What an event changes.
    package enum Change: Equatable, Sendable {
        case none
        /// The thread holds a lock that it did not hold before.
        case taken(ObjectID)
        /// The thread no longer holds the lock.
        case released(ObjectID)
    }

    private var held = PerThread(HoldStack())
    private var holdersByObject = PerObject<[ThreadID]>([])

    package init() {}

    /// In the order in which the thread took them.
    func locks(of thread: ThreadID) -> [Hold] { held[thread].holds }

    func holders(of object: ObjectID) -> [ThreadID] { holdersByObject[object] }

    func hold(of object: ObjectID, by thread: ThreadID) -> Hold? { locks(of: thread).first { $0.object == object } }

    @discardableResult
    package mutating func consume(_ event: Event) -> Change {
        switch event.kind.effect {
        case .take(let lock): return take(event.object, lock.isShared ? .shared : .exclusive, event)
        case .release: return giveBack(event.object, event)
        // A wait releases only one level: a recursive mutex that is held twice stays held.
        case .park: if let mutex = event.valueAsObject { return giveBack(mutex, event) }
        case .unpark: if let mutex = event.valueAsObject { return take(mutex, .exclusive, event) }
        default: break
        }
        return .none
    }

    private mutating func take(_ object: ObjectID, _ mode: Hold.Mode, _ event: Event) -> Change {
        guard held[event.thread].take(Hold(object: object, mode: mode, site: event.site)) else { return .none }
        holdersByObject[object].append(event.thread)
        return .taken(object)
    }

    private mutating func giveBack(_ object: ObjectID, _ event: Event) -> Change {
        guard held[event.thread].giveBack(object) else { return .none }
        holdersByObject[object].removeFirst(event.thread)
        return .released(object)
    }
}
