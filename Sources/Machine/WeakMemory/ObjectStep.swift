import Trace

/// What a step on a lock or a semaphore does, in a graph: the state of the object is one word, and each step that changes it is
/// an update of that word. So the steps on an object are in one order, as on the machine.
///
/// The rules are those of `Mutexes`, `Semaphores` and `ReadWriteLocks`, written a second time: random programs compare the two.
package enum ObjectStep: Equatable {
    /// The thread waits for another word.
    case blocked
    /// It changes nothing, and returns this.
    case keeps(result: Int)
    case changes(to: Int, result: Int, Act)
    /// A writer has queued up, and still waits for the lock.
    case queues(Int)
    case misuse
    /// A word has no room for more readers.
    case overflow

    /// The second argument of a writer's operation when it has queued up.
    package static let queued = 1

    /// - Parameter word: what the object holds.
    package init(_ operation: Operation, _ kind: ObjectState.Kind, by thread: Int, finding word: Int) {
        switch kind {
        case .semaphore: self = Self.semaphore(operation, word)
        case .normalMutex, .errorCheckingMutex, .recursiveMutex:
            self = HeldMutex(word).step(operation, kind, by: thread)
        case .readersFirstLock, .writersFirstLock:
            self = HeldLock(word).step(operation, kind, by: thread)
        case .condition, .atomic, .cell, .file, .counted, .seat, .other:
            preconditionFailure("its steps are no updates of one word")
        }
    }

    private static func semaphore(_ operation: Operation, _ permits: Int) -> ObjectStep {
        if operation.kind == .semaphoreValue { return .keeps(result: permits) }
        if operation.kind == .semaphoreSignal {
            return permits < Int(Int32.max) ? .changes(to: permits + 1, result: 0, .givePermit) : .misuse
        }
        if permits > 0 { return .changes(to: permits - 1, result: 1, .takePermit) }
        return operation.kind == .semaphoreWait ? .blocked : .keeps(result: 0)
    }

    /// A mutex: how often which thread holds it.
    private struct HeldMutex {
        let count: Int
        let owner: Int

        init(_ word: Int) {
            count = word >> 8
            owner = (word & 0xff) - 1
        }

        private static func word(_ count: Int, _ owner: Int) -> Int { count == 0 ? 0 : count << 8 | (owner + 1) }

        func step(_ operation: Operation, _ kind: ObjectState.Kind, by thread: Int) -> ObjectStep {
            if operation.kind == .unlock {
                return owner == thread
                    ? .changes(to: Self.word(count - 1, thread), result: 0, .release) : .misuse
            }
            if count == 0 { return .changes(to: Self.word(1, thread), result: Mutexes.Locked.taken, .take) }
            if owner == thread && kind == .recursiveMutex {
                return .changes(to: Self.word(count + 1, thread), result: 1, .takeAgain)
            }
            if operation.kind == .tryLock { return .keeps(result: Mutexes.Locked.busy) }
            return owner == thread && kind == .errorCheckingMutex ? .misuse : .blocked
        }
    }

    /// A read-write lock: its writer, how often each thread holds it to read, and the number of writers in its queue.
    private struct HeldLock {
        private let word: Int
        private static let mostHolds = 7
        private static let bitsOfHolds = 3
        private static let ownerShift = 48
        private static let queueShift = 56
        private static let readers = 1 << ownerShift - 1

        init(_ word: Int) { self.word = word }

        private var owner: Int { (word >> Self.ownerShift & 0xff) - 1 }
        private var queue: Int { word >> Self.queueShift }
        private func holds(_ thread: Int) -> Int { word >> (thread * Self.bitsOfHolds) & Self.mostHolds }

        private func adding(_ count: Int, holdsOf thread: Int) -> Int { word + count << (thread * Self.bitsOfHolds) }
        private func owned(by thread: Int?) -> Int {
            word & ~(0xff << Self.ownerShift) | (thread.map { $0 + 1 } ?? 0) << Self.ownerShift
        }

        func step(_ operation: Operation, _ kind: ObjectState.Kind, by thread: Int) -> ObjectStep {
            if operation.kind == .readLock || operation.kind == .tryReadLock { return read(operation, kind, thread) }
            if operation.kind == .writeLock || operation.kind == .tryWriteLock { return write(operation, kind, thread) }
            if operation.kind == .downgrade {
                guard owner == thread else { return .misuse }
                return .changes(to: HeldLock(owned(by: nil)).adding(1, holdsOf: thread), result: 0, .downgrade)
            }
            if owner == thread { return .changes(to: owned(by: nil), result: 1, .releaseToWrite) }
            return holds(thread) > 0 ? .changes(to: adding(-1, holdsOf: thread), result: 0, .unshare) : .misuse
        }

        private func read(_ operation: Operation, _ kind: ObjectState.Kind, _ thread: Int) -> ObjectStep {
            if owner < 0 && (kind == .readersFirstLock || queue == 0) {
                if holds(thread) == Self.mostHolds { return .overflow }
                return .changes(to: adding(1, holdsOf: thread), result: 1, .share)
            }
            if operation.kind == .tryReadLock { return .keeps(result: 0) }
            return owner == thread ? .misuse : .blocked
        }

        private func write(_ operation: Operation, _ kind: ObjectState.Kind, _ thread: Int) -> ObjectStep {
            let isQueued = operation.b == ObjectStep.queued
            if owner < 0 && word & Self.readers == 0 {
                let rest = isQueued ? word - 1 << Self.queueShift : word
                return .changes(to: HeldLock(rest).owned(by: thread), result: 1, .takeToWrite)
            }
            if operation.kind == .tryWriteLock { return .keeps(result: 0) }
            if owner == thread { return .misuse }
            return kind == .writersFirstLock && !isQueued ? .queues(word + 1 << Self.queueShift) : .blocked
        }
    }
}

extension Operation {
    /// Whether it may have to wait for another word of its object.
    package func waits(on kind: ObjectState.Kind) -> Bool {
        switch self.kind {
        case .semaphoreWait, .lock, .readLock: true
        case .writeLock: kind == .readersFirstLock || b == ObjectStep.queued
        case .start, .exit, .inspect, .readClock, .spawn, .join, .tryJoin, .joinUntil, .detach, .yield, .sleepUntil,
            .fence,
            .tryLock, .lockUntil, .unlock, .wait, .signal, .broadcast, .semaphoreTryWait, .semaphoreWaitUntil,
            .semaphoreSignal, .semaphoreValue, .tryReadLock, .readLockUntil, .tryWriteLock, .writeLockUntil,
            .unlockShared,
            .load, .store, .exchange, .add, .bitAnd, .bitOr, .bitXor, .compareExchange, .weakCompareExchange, .read,
            .write,
            .append, .destroy, .choose, .downgrade:
            false
        }
    }
}
