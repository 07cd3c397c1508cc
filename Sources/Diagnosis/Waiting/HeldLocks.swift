import Trace

/// Who holds which lock, and since which line.
struct HeldLocks {
    private var held = PerThread<[Hold]>([])
    /// What a thread gave back for the time of its wait on a condition.
    private var parked = PerThread<Hold?>(nil)
    private var holdersByObject: [ObjectID: [ThreadID]] = [:]

    /// In the order in which the thread took them.
    func locks(of thread: ThreadID) -> [Hold] { held[thread] }

    func holders(of object: ObjectID) -> [ThreadID] { holdersByObject[object] ?? [] }

    func hold(of object: ObjectID, by thread: ThreadID) -> Hold? { held[thread].first { $0.object == object } }

    mutating func consume(_ event: Event) {
        switch event.kind {
        case .mutexAcquire, .writeAcquire: take(event.object, .exclusive, event)
        case .readAcquire: take(event.object, .shared, event)
        case .mutexRelease, .readRelease, .writeRelease: giveBack(event.object, event.thread)
        case .conditionWait: park(event)
        case .conditionWake, .conditionTimeout: unpark(event)
        default: break
        }
    }

    private mutating func take(_ object: ObjectID, _ mode: Hold.Mode, _ event: Event) {
        if let index = held[event.thread].firstIndex(where: { $0.object == object }) {
            held[event.thread][index].depth += 1
        } else {
            add(Hold(object: object, mode: mode, site: event.site), event.thread)
        }
    }

    private mutating func giveBack(_ object: ObjectID, _ thread: ThreadID) {
        guard let index = held[thread].lastIndex(where: { $0.object == object }) else { return }
        held[thread][index].depth -= 1
        if held[thread][index].depth == 0 { remove(at: index, thread) }
    }

    private mutating func park(_ event: Event) {
        guard let mutex = event.valueAsObject,
            let index = held[event.thread].firstIndex(where: { $0.object == mutex })
        else { return }
        parked[event.thread] = held[event.thread][index]
        remove(at: index, event.thread)
    }

    private mutating func unpark(_ event: Event) {
        guard let mutex = event.valueAsObject else { return }
        var hold = Hold(object: mutex, mode: .exclusive, site: event.site)
        if let before = parked[event.thread], before.object == mutex { hold.depth = before.depth }
        parked[event.thread] = nil
        add(hold, event.thread)
    }

    private mutating func add(_ hold: Hold, _ thread: ThreadID) {
        held[thread].append(hold)
        holdersByObject[hold.object, default: []].append(thread)
    }

    private mutating func remove(at index: Int, _ thread: ThreadID) {
        let object = held[thread].remove(at: index).object
        holdersByObject[object]?.removeAll { $0 == thread }
    }
}
