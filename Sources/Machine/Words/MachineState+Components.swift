/// The state as components, for the search by states, which stores equal components once: one for what the threads
/// share, and one for each thread. A thread's component contains its part in shared objects: the locks that it holds,
/// its place among waiters, what it watches.
///
/// Only seats, and operations on threads, name threads by number, so threads that run the same code can be exchanged by
/// exchanging their components. Time is relative: a component holds the distance to a deadline.
extension MachineState {
    /// The maximum number of words of a component: a few for its beginning, and a thread's three lists, each with at
    /// most one entry for each object.
    package var longestComponent: Int { 8 + 3 * header.pointee.scalars.objectCount }

    /// Writes the shared component: a word with four numbers of 16 bits each (from the highest down: the number of
    /// marks, the limit of threads, the spurious budget, the number of threads), the values of objects, and the marks,
    /// which threads have left on robust mutexes (`ObjectState.Mark`).
    ///
    /// - Returns: the place after the words.
    package func encodeShared(_ words: UnsafeMutablePointer<Int>) -> UnsafeMutablePointer<Int> {
        var end = words
        func add(_ word: Int) {
            end.pointee = word
            end += 1
        }
        end += 1
        var marks = 0
        for index in 1..<objectCount {
            let object = header.pointee.objects[index]
            switch object.kind {
            case .normalMutex, .errorCheckingMutex, .recursiveMutex:
                if object.owner == 0 && object.count != 0 { marks += 1 }
            case .readersFirstLock, .writersFirstLock: break
            case .condition: add(object.count == 0 ? 0 : object.value << 16 | Int(object.count))
            case .semaphore, .atomic, .cell, .file, .counted, .seat, .other: add(object.value)
            }
        }
        words.pointee = marks << 48 | threadLimit << 32 | header.pointee.scalars.spuriousBudget << 16 | threadCount
        if marks > 0 {
            for index in 1..<objectCount {
                let object = header.pointee.objects[index]
                guard object.kind.isMutex, object.owner == 0, object.count != 0 else { continue }
                add(index << 32 | Int(UInt32(bitPattern: object.count)))
            }
        }
        return end
    }

    /// The budget of spurious wake-ups and failures (`Scalars.spuriousBudget`), according to a shared component.
    @inline(always) package static func spuriousBudget(inShared words: UnsafePointer<Int>) -> Int {
        words.pointee >> 16 & 0xffff
    }

    /// Restores what threads share, with all locks free. The threads must be decoded next, in order.
    ///
    /// - Returns: the place after the words that `encodeShared` wrote.
    package func decodeShared(_ words: UnsafePointer<Int>) -> UnsafePointer<Int> {
        var next = words
        func take() -> Int {
            defer { next += 1 }
            return next.pointee
        }
        let first = take()
        header.pointee.scalars.threadLimit = first >> 32 & 0xffff
        header.pointee.scalars.spuriousBudget = Self.spuriousBudget(inShared: words)
        header.pointee.scalars.threadCount = first & 0xffff
        header.pointee.scalars.time = 0
        header.pointee.scalars.holdCount = 0
        header.pointee.scalars.watchCount = 0
        // The ticket of a restored waiter is its rank, which is less than the number of threads.
        header.pointee.scalars.nextTicket = threadCount
        for index in 1..<objectCount {
            let object = header.pointee.objects.base + index
            (object.pointee.owner, object.pointee.count) = (0, 0)
            switch object.pointee.kind {
            case .normalMutex, .errorCheckingMutex, .recursiveMutex, .readersFirstLock, .writersFirstLock: break
            case .condition:
                let word = take()
                object.pointee.count = Int32(word & 0xffff)
                object.pointee.value = word >> 16
            case .semaphore:
                object.pointee.value = take()
                object.pointee.owner = object.pointee.value == 0 ? ObjectState.noPermit : 0
            case .atomic, .cell, .file, .counted, .seat, .other: object.pointee.value = take()
            }
        }
        for _ in 0..<first >> 48 {
            let mark = take()
            header.pointee.objects[mark >> 32].count = Int32(truncatingIfNeeded: mark)
        }
        return next
    }

    /// The number of words of a thread's component before its lists: one for the head, three for the operation, and one
    /// for the lengths of two lists.
    fileprivate static var headWords: Int { 5 }

    /// Writes a thread's component: its head and operation, then three lists: locks that it owns, read-write locks that
    /// it holds as a reader, and objects that it watches.
    ///
    /// - Returns: the place after the words.
    package func encode(_ thread: Int, _ words: UnsafeMutablePointer<Int>) -> UnsafeMutablePointer<Int> {
        let state = threads + thread
        var head = ThreadHead(state.pointee)
        if head.status == .waiting { head.rank = rank(of: thread) }
        var end = words + Self.headWords
        for index in 1..<objectCount where header.pointee.objects[index].owner == Int32(truncatingIfNeeded: thread + 1)
        {
            end.pointee = index << 32 | Int(header.pointee.objects[index].count)
            end += 1
            head.locks += 1
        }
        for i in 0..<header.pointee.scalars.holdCount where header.pointee.holds[i].thread == Int32(thread) {
            end.pointee = Int(header.pointee.holds[i].object) << 32 | Int(header.pointee.holds[i].count)
            end += 1
            head.reads += 1
        }
        for i in 0..<header.pointee.scalars.watchCount where header.pointee.watches[i].thread == Int32(thread) {
            end.pointee = Int(header.pointee.watches[i].object)
            end += 1
            head.watches += 1
        }
        words[0] = head.word
        words[4] = head.reads << 32 | head.watches
        if head.status == .ended {
            // A thread may end while it holds a lock.
            if end == words + Self.headWords {
                words[0] = head.word | ThreadHead.shortBit
                return words + 1
            }
            (words[1], words[2], words[3]) = (0, 0, 0)
        } else {
            let operation = state.pointee.operation
            words[1] =
                Int(operation.orders.bits) << 40 | Int(operation.object) << 8 | Int(operation.kind.rawValue)
            words[2] = operation.a
            words[3] = operation.kind.hasDeadline ? distance(to: operation.b) : operation.b
        }
        return end
    }

    /// Restores a thread from its component.
    ///
    /// - Returns: the place after the words that `encode` wrote.
    package func decode(_ thread: Int, _ words: UnsafePointer<Int>) -> UnsafePointer<Int> {
        var head = ThreadHead(word: words.pointee)
        let state = threads + thread
        head.restore(state)
        if head.isShort { return words + 1 }
        head.reads = words[4] >> 32
        head.watches = words[4] & 0xffff_ffff
        state.pointee.operation = Operation(
            Operation.Kind(rawValue: UInt8(truncatingIfNeeded: words[1]))!, UInt32(truncatingIfNeeded: words[1] >> 8),
            words[2], words[3], orders: Operation.Orders(bits: UInt8(truncatingIfNeeded: words[1] >> 40)))
        state.pointee.ticket = head.rank
        var next = words + Self.headWords
        for _ in 0..<head.locks {
            let object = header.pointee.objects.base + (next.pointee >> 32)
            object.pointee.owner = Int32(truncatingIfNeeded: thread + 1)
            object.pointee.count = Int32(truncatingIfNeeded: next.pointee)
            next += 1
        }
        for _ in 0..<head.reads {
            restoreReadHold(thread, next.pointee)
            next += 1
        }
        for _ in 0..<head.watches {
            let index = header.pointee.scalars.watchCount
            header.pointee.watches.reserve(index + 1, keeping: index)
            header.pointee.watches[index] = Watch(
                object: UInt32(truncatingIfNeeded: next.pointee), thread: Int32(thread))
            header.pointee.scalars.watchCount = index + 1
            next += 1
        }
        return next
    }

    /// Restores the gates, which follow from the states of all threads. Called when all have been decoded.
    package func finishDecoding() {
        for thread in 0..<threadCount {
            let state = threads + thread
            switch state.pointee.status {
            case .announced: state.pointee.gate = gate(of: state.pointee.operation, by: thread)
            case .queued: state.pointee.gate = .unclear
            case .waiting:
                let mayEnd = state.pointee.operation.b != Operation.never || header.pointee.scalars.spuriousBudget > 0
                state.pointee.gate = mayEnd ? .unclear : .closed
            case .waking: state.pointee.gate = gate(ofMutex: UInt32(state.pointee.operation.a), for: thread)
            case .running, .ended: state.pointee.gate = .closed
            }
        }
    }

    private func restoreReadHold(_ thread: Int, _ word: Int) {
        let count = Int32(truncatingIfNeeded: word)
        let object = UInt32(truncatingIfNeeded: word >> 32)
        insertReadHold(ReadHold(object: object, thread: Int32(thread), count: count))
        header.pointee.objects[Int(object)].count += count
    }

    /// The number of threads that wait on the same condition and arrived earlier.
    package func rank(of thread: Int) -> Int {
        var earlier = 0
        for other in 0..<threadCount
        where threads[other].status == .waiting && threads[other].ticket < threads[thread].ticket
            && threads[other].operation.object == threads[thread].operation.object
        {
            earlier += 1
        }
        return earlier
    }

    /// The time until the deadline, or `Operation.never`. 0 if time limits may pass at any moment, because the distance
    /// then does not matter.
    func distance(to deadline: Int) -> Int {
        if deadline == Operation.never { return deadline }
        return header.pointee.scalars.mayTimeOut ? 0 : max(0, deadline - header.pointee.scalars.time)
    }
}

/// The head of a thread's component: its first word, and the lengths of its lists, two of which are in a later word.
private struct ThreadHead {
    /// Set if the component is only this word, because the thread has ended and holds nothing.
    static let shortBit = 1 << 24

    let status: ThreadState.Status
    /// From bit 0: is detached, is joined, was woken, is stirred.
    let flags: Int
    /// The thread's place among the waiters of a condition.
    var rank = 0
    /// The lengths of the lists.
    var locks = 0
    var reads = 0
    var watches = 0
    /// Whether the component has no further words.
    private(set) var isShort = false

    init(_ state: ThreadState) {
        status = state.status
        flags =
            (state.isDetached ? 1 : 0) | (state.isJoined ? 2 : 0)
            | (state.wasWoken && state.status == .waking ? 4 : 0) | (state.isStirred ? 8 : 0)
    }

    /// From bit 0 the status, from bit 4 the flags, from bit 8 the rank, and from bit 32 the number of locks.
    var word: Int {
        Int(status.rawValue) | flags << 4 | rank << 8 | locks << 32
    }

    init(word: Int) {
        status = ThreadState.Status(rawValue: UInt8(word & 15))!
        flags = word >> 4 & 15
        rank = word >> 8 & 0xfff
        locks = word >> 32
        isShort = word & Self.shortBit != 0
    }

    func restore(_ state: UnsafeMutablePointer<ThreadState>) {
        state.pointee.status = status
        state.pointee.isDetached = flags & 1 != 0
        state.pointee.isJoined = flags & 2 != 0
        state.pointee.wasWoken = flags & 4 != 0
        state.pointee.isStirred = flags & 8 != 0
        state.pointee.result = 0
    }
}
