import Trace

/// Which threads hold permits of which semaphores. A permit that is returned by another thread than the one that took
/// it counts as kept.
struct Permits {
    private var held = PerThread<[ObjectID]>([])
    private var current = PerObject(0)
    private var greatest = PerObject(0)

    func semaphores(of thread: ThreadID) -> [ObjectID] { held[thread] }

    /// The maximum number of permits that were out at the same time.
    func most(of semaphore: ObjectID) -> Int { greatest[semaphore] }

    mutating func consume(_ event: Event) {
        if event.kind.effect == .takePermit {
            current[event.object] += 1
            greatest[event.object] = max(greatest[event.object], current[event.object])
            if !held[event.thread].contains(event.object) { held[event.thread].append(event.object) }
        } else if event.kind.effect == .givePermit {
            guard let index = held[event.thread].firstIndex(of: event.object) else { return }
            held[event.thread].remove(at: index)
            current[event.object] -= 1
        }
    }
}
