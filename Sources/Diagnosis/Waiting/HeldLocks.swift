import Trace

/// The locks that each thread holds, and since which line.
struct HeldLocks {
    private var held = PerThread(HoldStack())
    private var holdersByObject = PerObject<[ThreadID]>([])

    /// In the order in which the thread took them.
    func locks(of thread: ThreadID) -> [Hold] { held[thread].holds }

    func holders(of object: ObjectID) -> [ThreadID] { holdersByObject[object] }

    func hold(of object: ObjectID, by thread: ThreadID) -> Hold? { locks(of: thread).first { $0.object == object } }

    mutating func consume(_ event: Event) {
        switch event.kind.effect {
        case .take(let lock): take(event.object, lock.isShared ? .shared : .exclusive, event)
        case .release: giveBack(event.object, event)
        // A wait releases only one level: a recursive mutex that is held twice stays held.
        case .park: if let mutex = event.valueAsObject { giveBack(mutex, event) }
        case .unpark: if let mutex = event.valueAsObject { take(mutex, .exclusive, event) }
        default: break
        }
    }

    private mutating func take(_ object: ObjectID, _ mode: Hold.Mode, _ event: Event) {
        let isFirst = held[event.thread].take(Hold(object: object, mode: mode, site: event.site))
        if isFirst { holdersByObject[object].append(event.thread) }
    }

    private mutating func giveBack(_ object: ObjectID, _ event: Event) {
        if held[event.thread].giveBack(object) { holdersByObject[object].removeFirst(event.thread) }
    }
}
