import Trace

/// Who holds which lock, and since which line.
struct HeldLocks {
    private var held = PerThread(HoldStack())
    /// What a thread gave back for the time of its wait on a condition.
    private var parked = PerThread<Hold?>(nil)
    private var holdersByObject = PerObject<[ThreadID]>([])

    /// In the order in which the thread took them.
    func locks(of thread: ThreadID) -> [Hold] { held[thread].holds }

    func holders(of object: ObjectID) -> [ThreadID] { holdersByObject[object] }

    func hold(of object: ObjectID, by thread: ThreadID) -> Hold? { locks(of: thread).first { $0.object == object } }

    mutating func consume(_ event: Event) {
        switch event.kind {
        case .mutexAcquire, .writeAcquire: take(event.object, .exclusive, event)
        case .readAcquire: take(event.object, .shared, event)
        case .mutexRelease, .readRelease, .writeRelease:
            if held[event.thread].giveBack(event.object) { holdersByObject[event.object].removeFirst(event.thread) }
        case .conditionWait: park(event)
        case .conditionWake, .conditionTimeout: unpark(event)
        default: break
        }
    }

    private mutating func take(_ object: ObjectID, _ mode: Hold.Mode, _ event: Event) {
        let isFirst = held[event.thread].take(Hold(object: object, mode: mode, site: event.site))
        if isFirst { holdersByObject[object].append(event.thread) }
    }

    private mutating func park(_ event: Event) {
        guard let mutex = event.valueAsObject, let hold = held[event.thread].remove(mutex) else { return }
        parked[event.thread] = hold
        holdersByObject[mutex].removeFirst(event.thread)
    }

    private mutating func unpark(_ event: Event) {
        guard let mutex = event.valueAsObject else { return }
        var hold = Hold(object: mutex, mode: .exclusive, site: event.site)
        if let before = parked[event.thread], before.object == mutex { hold.depth = before.depth }
        parked[event.thread] = nil
        held[event.thread].add(hold)
        holdersByObject[mutex].append(event.thread)
    }
}
