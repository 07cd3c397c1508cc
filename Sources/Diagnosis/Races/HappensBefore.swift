import Trace

/// What each thread has seen of the others, by the run's synchronisation: whoever takes a lock has seen all that was done
/// before it was given back; and likewise for semaphores, atomics, and the creation and the end of threads.
///
/// A signal by itself orders nothing: the mutex that the woken thread takes again does.
struct HappensBefore {
    private var threads = PerThread(VectorClock())
    private var ended = PerThread(VectorClock())
    /// What the next one to take the object will have seen. For read-write locks: what a reader will have.
    private var objects: [ObjectID: VectorClock] = [:]
    /// What a writer will have seen besides: the readers before it.
    private var readers: [ObjectID: VectorClock] = [:]

    /// The clock of a thread that is doing something now.
    mutating func clock(of thread: ThreadID) -> VectorClock {
        if threads[thread][thread] == 0 { threads[thread].advance(thread) }
        return threads[thread]
    }

    mutating func consume(_ event: Event) {
        let thread = event.thread
        switch event.kind {
        case .threadCreate:
            guard let created = event.valueAsThread else { return }
            threads[created].merge(clock(of: thread))
            threads[thread].advance(thread)
        case .threadExit: ended[thread] = clock(of: thread)
        case .threadJoin:
            guard let joined = event.valueAsThread else { return }
            threads[thread].merge(ended[joined])

        case .mutexAcquire, .readAcquire, .semaphoreAcquire, .atomicLoad, .atomicMismatch: acquire(event.object, thread)
        case .writeAcquire:
            acquire(event.object, thread)
            if let seen = readers[event.object] { threads[thread].merge(seen) }

        case .mutexRelease, .writeRelease, .atomicStore: publish(event.object, thread)
        case .readRelease:
            readers[event.object, default: VectorClock()].merge(clock(of: thread))
            threads[thread].advance(thread)
        case .semaphoreSignal: add(event.object, thread)
        case .atomicUpdate:
            acquire(event.object, thread)
            publish(event.object, thread)

        case .conditionWait: if let mutex = event.valueAsObject { publish(mutex, thread) }
        case .conditionWake, .conditionTimeout: if let mutex = event.valueAsObject { acquire(mutex, thread) }
        default: break
        }
    }

    private mutating func acquire(_ object: ObjectID, _ thread: ThreadID) {
        if let seen = objects[object] { threads[thread].merge(seen) }
    }

    /// The next one sees this thread's past, which includes that of the ones before if it took the object itself.
    private mutating func publish(_ object: ObjectID, _ thread: ThreadID) {
        objects[object] = clock(of: thread)
        threads[thread].advance(thread)
    }

    /// The next one sees the pasts of all that gave.
    private mutating func add(_ object: ObjectID, _ thread: ThreadID) {
        objects[object, default: VectorClock()].merge(clock(of: thread))
        threads[thread].advance(thread)
    }
}
