/// Which event of several lanes can come next, by what the primitives mean: nobody acquires what another still holds.
///
/// Times alone are not enough. Two processors' clocks differ by nanoseconds, and a time is read a moment before or after
/// the thing itself; an acquisition therefore carries its number, and comes after the one before it and its release.
struct MergeOrder {
    private struct Object {
        /// The number of the latest acquisition.
        var ticket: Int64 = 0
        /// Who holds it, to write, plus one.
        var holder: Int32 = 0
        var depth: Int32 = 0
        var readers: Int32 = 0
        /// Of a semaphore.
        var available: Int64 = 0
    }

    private struct Thread {
        var isCreated = false
        var isOver = false
        /// How often a mutex was held when the thread began to wait.
        var savedDepth: Int32 = 0
    }

    private var objects: [Object] = []
    private var threads: [Thread] = []

    /// A wake-up's value holds two things in the recording: the mutex, and above it the number of its acquisition.
    static func mutex(ofWake value: Int64) -> Int64 { value & 0xFFFF_FFFF }
    private static func ticket(ofWake value: Int64) -> Int64 { value >> 32 & 0xFFFF_FFFF }

    /// Makes room for as many as a document has.
    mutating func grow(objects count: Int, threads threadCount: Int, initialValues: [UInt32: Int]) {
        while objects.count < count {
            var object = Object()
            object.available = Int64(initialValues[UInt32(objects.count)] ?? 0)
            objects.append(object)
        }
        while threads.count < threadCount { threads.append(Thread(isCreated: threads.isEmpty)) }
    }

    /// Whether the event can have happened, after those that were passed to `note`.
    func allows(_ event: RecordedEvent, _ kind: EventKind) -> Bool {
        let object = Int(event.object)
        switch kind {
        case .mutexAcquire:
            guard objects.indices.contains(object) else { return true }
            if objects[object].holder == Int32(event.thread) + 1 { return true }
            return objects[object].holder == 0 && objects[object].ticket &+ 1 == event.value
        case .conditionWake, .conditionTimeout:
            let mutex = Int(Self.mutex(ofWake: event.value))
            guard objects.indices.contains(mutex) else { return true }
            return objects[mutex].holder == 0
                && (objects[mutex].ticket &+ 1) & 0xFFFF_FFFF == Self.ticket(ofWake: event.value)
        case .writeAcquire:
            guard objects.indices.contains(object) else { return true }
            return objects[object].holder == 0 && objects[object].readers == 0
                && objects[object].ticket &+ 1 == event.value
        case .readAcquire:
            guard objects.indices.contains(object) else { return true }
            return objects[object].holder == 0 && objects[object].ticket &+ 1 == event.value
        case .semaphoreAcquire:
            return !objects.indices.contains(object) || objects[object].available > 0
        case .threadStart:
            return !threads.indices.contains(Int(event.thread)) || threads[Int(event.thread)].isCreated
        case .threadJoin:
            guard let target = Int(exactly: event.value), threads.indices.contains(target) else { return true }
            return threads[target].isOver
        default: return true
        }
    }

    /// Takes note of an event that has been put in its place.
    mutating func note(_ event: RecordedEvent, _ kind: EventKind) {
        switch kind {
        case .threadCreate: if let i = thread(event.value) { threads[i].isCreated = true }
        case .threadExit, .threadCutOff: if let i = thread(Int64(event.thread)) { threads[i].isOver = true }
        case .conditionWait: noteWait(event)
        case .conditionWake, .conditionTimeout: noteWake(event)
        default: noteLock(event, kind)
        }
    }

    private mutating func noteLock(_ event: RecordedEvent, _ kind: EventKind) {
        let i = Int(event.object)
        guard objects.indices.contains(i) else { return }
        let me = Int32(event.thread) + 1
        switch kind {
        case .mutexAcquire:
            objects[i].depth = objects[i].holder == me ? objects[i].depth &+ 1 : 1
            objects[i].holder = me
            objects[i].ticket = event.value
        case .mutexRelease:
            objects[i].depth &-= 1
            if objects[i].depth <= 0 { objects[i].holder = 0 }
        case .writeAcquire:
            objects[i].holder = me
            objects[i].ticket = event.value
        case .writeRelease: objects[i].holder = 0
        case .readAcquire:
            // Readers hold it side by side, and may record long after they have taken their number.
            objects[i].readers &+= 1
            objects[i].ticket = max(objects[i].ticket, event.value)
        case .readRelease: objects[i].readers = max(0, objects[i].readers - 1)
        case .semaphoreSignal: objects[i].available &+= 1
        case .semaphoreAcquire: objects[i].available = max(0, objects[i].available - 1)
        default: break
        }
    }

    private mutating func noteWait(_ event: RecordedEvent) {
        guard let i = object(event.value), let t = thread(Int64(event.thread)) else { return }
        threads[t].savedDepth = objects[i].depth
        objects[i].holder = 0
        objects[i].depth = 0
    }

    private mutating func noteWake(_ event: RecordedEvent) {
        guard let i = object(Self.mutex(ofWake: event.value)), let t = thread(Int64(event.thread)) else { return }
        objects[i].holder = Int32(event.thread) + 1
        objects[i].depth = max(1, threads[t].savedDepth)
        objects[i].ticket &+= 1
    }

    private func object(_ value: Int64) -> Int? {
        value > 0 && value < objects.count ? Int(value) : nil
    }

    private func thread(_ value: Int64) -> Int? {
        value >= 0 && value < threads.count ? Int(value) : nil
    }
}
