import Trace

/// Who has which semaphores' permits. One that is handed in by another thread than the one that took it counts as kept.
struct Permits {
    private var held = PerThread<[ObjectID]>([])
    private var current: [ObjectID: Int] = [:]
    private var greatest: [ObjectID: Int] = [:]

    func semaphores(of thread: ThreadID) -> [ObjectID] { held[thread] }

    /// How many permits have been out at the same time.
    func most(of semaphore: ObjectID) -> Int { greatest[semaphore] ?? 0 }

    mutating func consume(_ event: Event) {
        switch event.kind {
        case .semaphoreAcquire:
            let count = (current[event.object] ?? 0) + 1
            current[event.object] = count
            greatest[event.object] = max(count, most(of: event.object))
            if !held[event.thread].contains(event.object) { held[event.thread].append(event.object) }
        case .semaphoreSignal:
            guard let index = held[event.thread].firstIndex(of: event.object) else { return }
            held[event.thread].remove(at: index)
            current[event.object, default: 1] -= 1
        default: break
        }
    }
}
