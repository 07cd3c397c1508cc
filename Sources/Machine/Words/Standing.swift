/// What can be said of a thread by its component alone, which is its part of a state (`MachineState+Components`): when
/// it can step, and what the steps of other threads find because of it. The search by states computes this once for
/// each component, and so rarely has to restore a state in order to find out which threads can step.
package struct Standing: Sendable, BitwiseCopyable {
    /// When the thread can step.
    package enum Readiness: UInt8, Sendable, BitwiseCopyable {
        case always
        /// When no other thread holds the mutex `lock`.
        case free
        /// When a join of the thread `target` need not wait: its `life` is `ended` or `settled`.
        case ended
        /// Only when another thread's step has changed this thread's component, or by a spurious wake-up if
        /// `leavesEarly`. It waits for no particular thread.
        case never
        /// The answer depends only on this component, on the component that threads share, and on whether other threads
        /// hold `lock`. It can therefore be remembered.
        case shared
        /// The answer depends on more, so the machine itself has to be asked.
        case unclear
    }

    /// What a join of this thread would find. `none`: the thread has not been created. `ended`: it can be joined.
    /// `settled`: it is detached or has been joined, so a join does not wait, but is a misuse.
    package enum Life: UInt8, Sendable, BitwiseCopyable { case none, alive, ended, settled }

    /// The mutexes that the thread holds, and the read-write locks that it holds as a writer, as bits (`LockBits`).
    package var held: UInt64 = 0
    /// The read-write locks that it holds as a reader, as bits.
    package var heldToRead: UInt64 = 0
    /// The bit of the lock that its operation concerns. 0: none.
    package var lock: UInt64 = 0
    /// The plain cell that the next step accesses. 0: the next step is not such an access.
    package var cell: UInt32 = 0
    /// The thread that the next step joins, if it is a join.
    package var target: UInt16 = 0
    package var readiness = Readiness.never
    package var life = Life.none
    /// Whether the next step depends only on the thread's component, on what threads share, on whether others hold
    /// `lock`, and on whether `target` has ended. Its effect can then be remembered.
    package var isMemorable = false
    /// Whether the access of `cell` can be taken now. (In an `await`, it may have to wait for a change.)
    package var accesses = false
    /// Whether the access of `cell` is a write.
    package var writesCell = false
    /// Whether the thread waits on a condition.
    package var isWaiting = false
    /// Whether the thread is in a wait on a condition whose limit has not passed: it can step only by leaving
    /// spuriously.
    package var leavesEarly = false
    /// Whether the thread watches what it has read, in a polling loop or an `await`, so that a write of it changes the
    /// thread's component.
    package var isWatching = false
    /// Whether the thread continues eventually, whatever other threads do, because it has a deadline.
    package var hasDeadline = false

    package init() {}
}

/// Gives each of the first 64 mutexes and read-write locks of the machine a bit of its own.
package struct LockBits: ~Copyable {
    /// By object: the bit of the lock; 0 for other objects, and for locks beyond the 64th.
    private let bits: OwnedBuffer<UInt64>
    /// Whether there are enough bits for all locks.
    package let isComplete: Bool

    package init(_ machine: MachineState) {
        var bits = [UInt64](repeating: 0, count: machine.objectCount)
        // 0 once all 64 bits are used.
        var next: UInt64 = 1
        var isComplete = true
        for number in 1..<machine.objectCount {
            let kind = machine.object(UInt32(number)).kind
            guard kind.isMutex || kind.isReadWriteLock else { continue }
            if next == 0 { isComplete = false }
            bits[number] = next
            next <<= 1
        }
        self.bits = OwnedBuffer(bits)
        self.isComplete = isComplete
    }

    @inline(always) subscript(_ object: Int) -> UInt64 { bits[object] }
}

extension MachineState {
    /// What the thread's component determines.
    package func standing(of thread: Int, _ locks: borrowing LockBits) -> Standing {
        var standing = Standing()
        guard thread < threadCount else { return standing }
        let state = threads[thread]
        for object in 1..<objectCount where Mutexes.isOwn(self.object(UInt32(object)), thread) {
            standing.held |= locks[object]
        }
        for i in 0..<header.pointee.scalars.holdCount where header.pointee.holds[i].thread == Int32(thread) {
            standing.heldToRead |= locks[Int(header.pointee.holds[i].object)]
        }
        standing.life =
            switch state.life {
            case .alive: .alive
            case .ended: .ended
            case .detached, .joined: .settled
            }
        standing.isWaiting = state.status == .waiting
        forEachWatched(by: thread) { _ in standing.isWatching = true }
        standing.hasDeadline = hasDeadline(thread)
        guard state.status == .announced || state.status == .waiting || state.status == .waking else {
            standing.readiness = state.status == .queued ? .unclear : .never
            return standing
        }
        let operation = state.operation
        let object = state.status == .waking ? operation.a : Int(operation.object)
        standing.lock = locks[object]
        if operation.kind == .join && operation.object == 0 && operation.a != thread {
            standing.target = UInt16(truncatingIfNeeded: operation.a)
            standing.readiness = .ended
            standing.isMemorable = true
            return standing
        }
        // Which thread gets a lock that prefers writers also depends on the writers in its queue. What an operation on
        // a thread does also depends on that thread's component.
        let prefersWriters = self.object(UInt32(object)).kind == .writersFirstLock
        standing.isMemorable = !operation.kind.isOnThread && !prefersWriters
        standing.leavesEarly = state.status == .waiting && !isLate(operation.b)
        standing.readiness = standing.isMemorable ? readiness(of: state, standing) : .unclear
        if operation.kind == .read || operation.kind == .write, self.object(operation.object).kind == .cell {
            standing.cell = operation.object
            standing.accesses = standing.readiness == .always
            standing.writesCell = operation.kind == .write
        }
        return standing
    }

    private func readiness(of state: ThreadState, _ standing: Standing) -> Standing.Readiness {
        if standing.leavesEarly { return .never }
        switch state.gate.meaning {
        case .open: return .always
        case .closed: return .never
        case .unclear where state.operation.isRenewedLook: return state.isStirred ? .always : .never
        // Not `free` if the thread itself holds the mutex: no other thread does, but the thread blocks itself.
        case .object where standing.lock != 0: return standing.held & standing.lock == 0 ? .free : .unclear
        // `object`: without a bit, so it is a semaphore, or a lock beyond the 64th. `unclear`: a read-write lock or an
        // operation with a time limit. `thread`: only joins have such gates, and they are not memorable.
        case .object, .unclear, .thread: return .shared
        }
    }
}
