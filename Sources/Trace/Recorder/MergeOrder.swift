/// Decides which events of several lanes can come next, by the semantics of the primitives: a lock that another thread
/// still holds is not acquired, and a read sees the value written last.
///
/// Times alone do not suffice. The clocks of two processors differ by nanoseconds. The time is read a moment before or
/// after the operation itself, and the thread may lose its processor in between. So an acquisition carries its number,
/// and comes after the previous acquisition and its release. A write of an atomic carries the value that it replaced,
/// and comes after the write of that value. A read comes after the write of the value that it saw.
///
/// Two writes may write the same value, so this order may not be the one that happened. But in it each event finds the
/// value that it found in the run (except for racing reads: see `isStale`). So the program could have run like this,
/// and any race that it shows is a race of the program.
struct MergeOrder {
    fileprivate struct Object {
        /// The number of the latest acquisition.
        var ticket: Int64 = 0
        /// The number of the thread that holds the lock (a read-write lock: for writing), plus one. 0: none.
        var holder: Int32 = 0
        /// How often the holder has locked a recursive mutex.
        var depth: Int32 = 0
        /// The number of threads that hold a read-write lock for reading.
        var readers: Int32 = 0
        /// The value of memory, or the permits of a semaphore.
        var value: Int64 = 0
    }

    private struct Thread {
        var isCreated = false
        var isOver = false
    }

    private var objects: [Object] = []
    private var threads: [Thread] = []

    /// The mutex in the value of a wake-up from a condition. In a recording, the lower half of that value is the mutex,
    /// and the upper half is the number of its acquisition.
    static func mutex(ofWake value: Int64) -> Int64 { value & 0xFFFF_FFFF }
    private static func ticket(ofWake value: Int64) -> Int64 { value >> 32 & 0xFFFF_FFFF }

    /// Makes room for all objects and threads of a document.
    mutating func grow(objects count: Int, threads threadCount: Int, initialValues: [UInt32: Int]) {
        while objects.count < count {
            var object = Object()
            object.value = Int64(initialValues[UInt32(objects.count)] ?? 0)
            objects.append(object)
        }
        while threads.count < threadCount { threads.append(Thread(isCreated: threads.isEmpty)) }
    }

    /// Whether the event can happen next, after those that were passed to `note`.
    func allows(_ head: LaneHead) -> Bool {
        let event = head.event
        let object = Int(event.object)
        switch head.effect {
        case .none: return true
        case .startThread: return !threads.indices.contains(Int(event.thread)) || threads[Int(event.thread)].isCreated
        case .joinThread:
            guard let target = Int(exactly: event.value), threads.indices.contains(target) else { return true }
            return threads[target].isOver
        case .unpark:
            let mutex = Int(Self.mutex(ofWake: event.value))
            guard objects.indices.contains(mutex) else { return true }
            if objects[mutex].holder == Int32(event.thread) + 1 { return true }
            return objects[mutex].holder == 0
                && (objects[mutex].ticket &+ 1) & 0xFFFF_FFFF == Self.ticket(ofWake: event.value)
        case .createThread, .detachThread, .endThread, .cutOffThread, .yield, .sleep, .awake, .setPriority, .limitWait,
            .attempt, .wait, .release, .givePermit, .refuse, .park, .signal, .free, .fence, .weaken, .reorder, .choose,
            .fail,
            .misuse, .cleanUp,
            .endRun:
            return true
        case .take, .takePermit, .read, .write, .update, .mismatch, .append:
            return !objects.indices.contains(object) || allows(head, objects[object])
        }
    }

    /// Whether the event can happen, as far as its object is concerned.
    private func allows(_ head: LaneHead, _ object: Object) -> Bool {
        let event = head.event
        let effect = head.effect
        if case .take(let lock) = effect { return object.allows(lock, by: event.thread, ticket: event.value) }
        if effect == .takePermit { return object.value > 0 }
        if effect == .read(.atomic) || effect == .mismatch { return object.value == event.value }
        if effect == .write(.atomic) || effect == .update { return head.old.map { $0 == object.value } ?? true }
        // Accesses of plain cells are always possible: see `isStale`.
        return effect != .append || object.value &+ 1 == event.value
    }

    /// Whether the event is a read of a plain cell that saw another value than the present one. Such reads are not
    /// blocked, because there may be no order of racing accesses in which every read sees the value that it saw. But if
    /// a lane still has a write of the value that this read saw, that write goes first (`LaneMerge`).
    func isStale(_ head: LaneHead) -> Bool {
        guard head.effect == .read(.cell), objects.indices.contains(Int(head.event.object)) else { return false }
        return objects[Int(head.event.object)].value != head.event.value
    }

    /// Updates the states of objects and threads by an event whose place in the order is decided.
    mutating func note(_ head: LaneHead) {
        let event = head.event
        switch head.effect {
        case .none: break
        case .createThread: if let i = thread(event.value) { threads[i].isCreated = true }
        case .endThread, .cutOffThread: if let i = thread(Int64(event.thread)) { threads[i].isOver = true }
        case .park: if let i = object(event.value) { objects[i].giveBack() }
        case .unpark:
            guard let i = object(Self.mutex(ofWake: event.value)) else { return }
            objects[i].take(by: event.thread, ticket: objects[i].ticket &+ 1)
        case .take, .release, .takePermit, .givePermit, .read, .write, .update, .mismatch, .append:
            let i = Int(event.object)
            if objects.indices.contains(i) { objects[i].note(event, head.effect) }
        case .startThread, .joinThread, .detachThread, .yield, .sleep, .awake, .setPriority, .limitWait, .attempt,
            .wait, .refuse, .signal, .free, .fence, .weaken, .reorder, .choose, .fail, .misuse, .cleanUp, .endRun:
            break
        }
    }

    /// The value as the number of an object. Nil: there is no such object.
    private func object(_ value: Int64) -> Int? {
        value > 0 && value < objects.count ? Int(value) : nil
    }

    /// The value as the number of a thread. Nil: there is no such thread.
    private func thread(_ value: Int64) -> Int? {
        value >= 0 && value < threads.count ? Int(value) : nil
    }
}

extension MergeOrder.Object {
    /// Whether the thread can be the next one to take the lock.
    fileprivate func allows(_ lock: Effect.Lock, by thread: UInt16, ticket: Int64) -> Bool {
        switch lock {
        case .mutex: holder == Int32(thread) + 1 || holder == 0 && self.ticket &+ 1 == ticket
        case .writing: holder == 0 && readers == 0 && self.ticket &+ 1 == ticket
        case .reading: holder == 0 && self.ticket &+ 1 == ticket
        }
    }

    fileprivate mutating func note(_ event: RecordedEvent, _ effect: Effect) {
        // The value that was seen becomes the present value, even if a record is missing.
        if effect.showsValue { value = event.value }
        if effect == .givePermit { value &+= 1 }
        if effect == .takePermit { value = max(1, value) - 1 }
        if case .take(let lock) = effect { take(lock, by: event.thread, ticket: event.value) }
        if case .release(let lock, let kept) = effect {
            switch lock {
            case .mutex: giveBack()
            case .writing: holder = 0
            case .reading: readers = max(0, readers - 1)
            }
            if let kept { take(kept, by: event.thread, ticket: ticket) }
        }
    }

    private mutating func take(_ lock: Effect.Lock, by thread: UInt16, ticket: Int64) {
        switch lock {
        case .mutex: take(by: thread, ticket: ticket)
        case .writing:
            holder = Int32(thread) + 1
            self.ticket = ticket
        case .reading:
            // Several threads can hold it, and a thread may record its acquisition long after it got the number of it.
            readers &+= 1
            self.ticket = max(self.ticket, ticket)
        }
    }

    fileprivate mutating func take(by thread: UInt16, ticket: Int64) {
        if holder == Int32(thread) + 1 {
            depth &+= 1
        } else {
            depth = 1
            holder = Int32(thread) + 1
            self.ticket = ticket
        }
    }

    /// Unlocks a mutex once. A recursive one may have been locked several times.
    fileprivate mutating func giveBack() {
        depth &-= 1
        if depth <= 0 { holder = 0 }
    }
}
