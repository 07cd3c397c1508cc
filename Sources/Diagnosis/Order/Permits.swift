import Trace

/// Which threads hold permits of which semaphores. A semaphore has no owner: a permit that another thread returns still
/// counts as held by the thread that took it.
struct Permits {
    /// By thread: the semaphores of which it holds a permit.
    private var held = PerThread<[ObjectID]>([])
    /// By semaphore: the number of permits that are held now, and the maximum so far.
    private var current = PerObject(0)
    private var greatest = PerObject(0)

    /// The semaphores of which the thread holds a permit.
    func semaphores(of thread: ThreadID) -> [ObjectID] { held[thread] }

    /// The maximum number of permits that were held at the same time.
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
