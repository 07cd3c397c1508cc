/// Which steps depend on each other. The only place that says so.
///
/// Each step has a *footprint*: the things that it touches, each read or written. Two steps of different threads are
/// *dependent* if they touch a common thing and one of them writes it. Others are independent: where both can be taken, they
/// come to the same state in either order, and neither enables or disables the other.
///
/// A step reads what it only looks at, so two reads of a cell are independent, and so are two failed attempts at a lock. It
/// writes what it changes. Operations of readers on a read-write lock count as reads of it: they commute. Whether a step that can fail
/// reads or writes depends on the state, so a footprint is that of a step taken now.
extension MachineState {
    /// Fills `list` with what the thread's next step touches, if it is taken now, and returns how many things that are. They are
    /// at most two, or the number of things that the thread watches plus one.
    @inlinable @inline(__always)
    public func footprint(of thread: Int, into list: UnsafeMutablePointer<Access>) -> Int {
        let state = threads + thread
        let operation = state.pointee.operation
        let thing = Int32(truncatingIfNeeded: operation.object)
        switch state.pointee.status {
        case .announced: break
        case .waking:
            list[0] = Access(Int32(truncatingIfNeeded: operation.a), isWrite: true)
            return 1
        case .waiting: return footprintOfLeaving(operation, into: list)
        default:
            list[0] = Access(thing, isWrite: true)
            return 1
        }
        switch operation.kind {
        case .start, .yield, .sleepUntil, .choose: return 0
        case .lock, .unlock, .semaphoreWait, .semaphoreSignal, .store, .exchange, .add, .bitAnd, .bitOr, .bitXor,
            .write,
            .append, .destroy, .writeLock, .writeLockUntil, .tryWriteLock:
            list[0] = Access(thing, isWrite: true)
        case .read, .load, .semaphoreValue:
            list[0] = Access(thing, isWrite: false)
            if operation.b == Operation.Watch.again { return footprintOfWatch(thread, into: list) }
        case .readLock, .tryReadLock, .readLockUntil: list[0] = Access(thing, isWrite: false)
        case .wait:
            list[0] = Access(Int32(truncatingIfNeeded: operation.a), isWrite: true)
            list[1] = Access(thing, isWrite: true)
            return 2
        default: list[0] = footprintOfOthers(operation, thing, by: thread)
        }
        return 1
    }

    /// Those whose success decides whether they write.
    @usableFromInline func footprintOfOthers(_ operation: Operation, _ thing: Int32, by thread: Int) -> Access {
        let object = header.pointee.objects[Int(operation.object)]
        switch operation.kind {
        case .tryLock, .lockUntil:
            let isOwn = object.owner == Int32(thread + 1) && object.kind == .recursiveMutex
            return Access(thing, isWrite: object.owner == 0 || isOwn)
        case .semaphoreTryWait, .semaphoreWaitUntil: return Access(thing, isWrite: object.value > 0)
        case .signal, .broadcast: return Access(thing, isWrite: object.count > 0)
        case .compareExchange: return Access(thing, isWrite: object.value == operation.a)
        case .unlockShared: return Access(thing, isWrite: object.owner != 0)
        case .spawn: return Access(Access.threadNumbers, isWrite: true)
        case .tryJoin, .joinUntil:
            return Access(Access.thread(operation.a), isWrite: isJoinDecided(operation.a, by: thread))
        case .join, .detach: return Access(Access.thread(operation.a), isWrite: true)
        default: return Access(Access.world, isWrite: true)
        }
    }

    /// A wait that ends without a signal leaves the condition's waiters.
    @usableFromInline func footprintOfLeaving(_ operation: Operation, into list: UnsafeMutablePointer<Access>) -> Int {
        list[0] = Access(Int32(truncatingIfNeeded: operation.object), isWrite: true)
        if isLate(operation.b) { return 1 }
        list[1] = Access(Access.spuriousBudget, isWrite: true)
        return 2
    }

    /// The first read of another attempt at an `await` comes after a write of any of the things that the thread watches: it
    /// reads them all.
    @usableFromInline func footprintOfWatch(_ thread: Int, into list: UnsafeMutablePointer<Access>) -> Int {
        var count = 1
        for i in 0..<header.pointee.watchCount where header.pointee.watches[i].thread == Int32(thread) {
            let thing = Int32(truncatingIfNeeded: header.pointee.watches[i].object)
            if thing == list[0].thing { continue }
            list[count] = Access(thing, isWrite: false)
            count += 1
        }
        return count
    }

    /// How many things a footprint can have at most, now.
    @inlinable public var longestFootprint: Int { header.pointee.watchCount + 2 }
}
