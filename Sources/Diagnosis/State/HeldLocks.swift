import Trace

/// A lock that a thread holds.
package struct Hold: Hashable, Sendable {
    package enum Mode: Sendable { case exclusive, shared }

    package var object: ObjectID
    package var mode: Mode
    /// Where the thread took the lock in this mode; for a recursive lock, the first time.
    package var site: SiteID
    /// The time when it took the lock.
    package var time: UInt64 = 0
    /// The number of times that the thread has locked it without unlocking it.
    package var depth = 1
}

/// The locks that each thread holds, with the lines where it took them.
package struct HeldLocks {
    /// How an event changed the set of locks that its thread holds.
    package enum Change: Equatable, Sendable {
        case none
        /// The thread holds a lock that it did not hold before.
        case taken(ObjectID)
        /// The thread has given up this hold: it has released the lock, or keeps it in another mode.
        case released(Hold)
    }

    /// By thread: its locks, in the order in which it took them.
    private var held = PerThread<[Hold]>([])
    private var holdersByObject = PerObject<[ThreadID]>([])

    package init() {}

    /// The thread's locks, in the order in which it took them.
    func locks(of thread: ThreadID) -> [Hold] { held[thread] }

    func holders(of object: ObjectID) -> [ThreadID] { holdersByObject[object] }

    func hold(of object: ObjectID, by thread: ThreadID) -> Hold? { held[thread].first { $0.object == object } }

    @discardableResult
    package mutating func consume(_ event: Event) -> Change {
        guard let change = event.lockChange else { return .none }
        let released = change.from == nil ? Change.none : giveBack(change.lock, event.thread)
        guard let kind = change.to else { return released }
        let taken = take(change.lock, kind.isShared ? .shared : .exclusive, event)
        // If the thread keeps the lock in another mode, it only releases the old hold: the lock is not new to it.
        return change.from == nil ? taken : released
    }

    private mutating func take(_ lock: ObjectID, _ mode: Hold.Mode, _ event: Event) -> Change {
        let thread = event.thread
        for index in held[thread].indices where held[thread][index].object == lock {
            held[thread][index].depth += 1
            return .none
        }
        held[thread].append(Hold(object: lock, mode: mode, site: event.site, time: event.time))
        holdersByObject[lock].append(thread)
        return .taken(lock)
    }

    private mutating func giveBack(_ lock: ObjectID, _ thread: ThreadID) -> Change {
        guard let index = held[thread].lastIndex(where: { $0.object == lock }) else { return .none }
        held[thread][index].depth -= 1
        guard held[thread][index].depth == 0 else { return .none }
        holdersByObject[lock].removeFirst(thread)
        return .released(held[thread].remove(at: index))
    }
}

extension [ThreadID] {
    mutating func removeFirst(_ thread: ThreadID) {
        if let index = firstIndex(of: thread) { remove(at: index) }
    }
}
