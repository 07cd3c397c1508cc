/// Which steps depend on each other: the dependence relation of all partial-order searches.
///
/// Each step has a *footprint*: the things that it touches, each read or written. Two steps of different threads are
/// *dependent* if they touch a common thing and one of them writes it. Independent steps commute: where both can be
/// taken, they lead to the same state in either order, and neither enables or disables the other.
///
/// A step that only inspects a thing reads it, so two reads of a cell are independent, and so are two failed attempts
/// at a mutex. A step that changes a thing writes it. Readers of a read-write lock commute, so their operations count
/// as reads of the lock. Whether a step that can fail reads or writes depends on the state: a footprint is that of a
/// step taken now.
extension MachineState {
    /// Fills `list` with the footprint of the thread's next step, if taken now. Returns the number of things, which is
    /// at most `longestFootprint`.
    @inline(always)
    package func footprint(of thread: Int, into list: UnsafeMutablePointer<Access>) -> Int {
        footprint(of: ruling(on: thread), by: thread, into: list)
    }

    /// The footprint of a step whose ruling is known.
    @inline(always)
    package func footprint(of ruling: Ruling, by thread: Int, into list: UnsafeMutablePointer<Access>) -> Int {
        if let pieces { return footprint(of: ruling, by: thread, pieces, into: list) }
        return ownFootprint(of: ruling, by: thread, into: list)
    }

    /// The footprint apart from pieces of memory.
    @inline(always)
    private func ownFootprint(of ruling: Ruling, by thread: Int, into list: UnsafeMutablePointer<Access>) -> Int {
        let operation = threads[thread].operation
        let reach = ruling.act.reach
        switch reach {
        case .nothing: return 0
        case .readsObject, .writesObject:
            list[0] = Access(Int32(truncatingIfNeeded: operation.object), isWrite: reach == .writesObject)
            if operation.kind == .weakCompareExchange && reach == .writesObject && mayWakeSpuriously {
                return addSpuriousFailure(to: list)
            }
            if reach == .writesObject && header.pointee.objects[Int(operation.object)].isObserved {
                list[1] = Access(Access.observed, isWrite: true)
                return 2
            }
            return operation.isRenewedLook ? addWatches(of: thread, to: list) : 1
        case .writesMutex, .writesMutexAndObject, .leavesWait, .leavesWaitEarly, .readsThread, .readsThreadLate,
            .writesThread, .addsThread, .readsClock, .writesClock, .readsObjectLate, .writesObjectLate, .writesWorld,
            .misuses:
            return rareFootprint(ruling, reach, thread, into: list)
        }
    }

    /// Whether the thread's next step touches nothing, so that no other step ever depends on it.
    package func touchesNothing(_ thread: Int) -> Bool {
        guard threads[thread].status == .announced else { return false }
        let kind = threads[thread].operation.kind
        return kind.row.range == .nothing && (kind != .sleepUntil || clockAccess(isWrite: true) == nil)
    }

    /// The footprint in a compiled program, whose steps access pieces of memory: see `MemoryPieces`.
    @inline(never)
    private func footprint(
        of ruling: Ruling, by thread: Int, _ pieces: MemoryPieces, into list: UnsafeMutablePointer<Access>
    ) -> Int {
        let isAccess = threads[thread].operation.kind.isAccess
        if isAccess && threads[thread].operation.isRenewedLook {
            return ownFootprint(of: ruling, by: thread, into: list)
        }
        var count = isAccess ? 0 : ownFootprint(of: ruling, by: thread, into: list)
        let isWrite = isAccess && ruling.act.reach == .writesObject
        for piece in pieces[thread] {
            list[count] = Access(Int32(truncatingIfNeeded: piece.object), isWrite: isWrite)
            count += 1
        }
        return count
    }

    /// Whether a weak compare-exchange has an alternative depends on the budget of spurious failures, so both
    /// alternatives touch the budget.
    @inline(never) private func addSpuriousFailure(to list: UnsafeMutablePointer<Access>) -> Int {
        list[1] = Access(Access.spuriousBudget, isWrite: true)
        guard header.pointee.objects[Int(list[0].thing)].isObserved else { return 2 }
        list[2] = Access(Access.observed, isWrite: true)
        return 3
    }

    /// The footprint of a step with one of the less frequent acts.
    private func rareFootprint(
        _ ruling: Ruling, _ reach: Act.Reach, _ thread: Int, into list: UnsafeMutablePointer<Access>
    ) -> Int {
        let operation = threads[thread].operation
        let object = Access(Int32(truncatingIfNeeded: operation.object), isWrite: true)
        let mutex = Access(Int32(truncatingIfNeeded: operation.a), isWrite: true)
        switch reach {
        case .writesMutex: return fill(list, mutex)
        case .writesMutexAndObject: return fill(list, mutex, object)
        case .leavesWait:
            // Whether the thread could also leave spuriously depends on the budget.
            let canLeaveEarly = header.pointee.scalars.mayTimeOut && mayWakeSpuriously
            return fill(
                list, object, clockAccess(isWrite: true),
                canLeaveEarly ? Access(Access.spuriousBudget, isWrite: true) : nil)
        case .leavesWaitEarly: return fill(list, object, Access(Access.spuriousBudget, isWrite: true))
        case .readsClock: return fill(list, clockAccess(isWrite: false))
        case .writesClock: return fill(list, clockAccess(isWrite: true))
        case .readsObjectLate: return fill(list, Access(object.thing, isWrite: false), clockAccess(isWrite: true))
        case .writesObjectLate: return fill(list, object, clockAccess(isWrite: true))
        case .writesWorld: return fill(list, Access(Access.world, isWrite: true))
        case .addsThread:
            let count = fill(list, Access(Access.threadNumbers, isWrite: true), seat(operation, isWrite: true))
            return threadLimit < Self.maximumThreads ? addThreads(besides: thread, to: list, count) : count
        case .misuses: return footprintOfMisuse(operation, into: list)
        case .nothing: return 0
        case .readsObject, .writesObject:
            return fill(list, Access(object.thing, isWrite: reach == .writesObject))
        case .readsThread, .readsThreadLate, .writesThread:
            guard let target = Threads.target(of: operation, in: self) else { return fill(list, seat(operation)) }
            let isWrite = reach == .writesThread
            return fill(
                list, Access(Access.thread(target), isWrite: isWrite), seat(operation),
                reach == .readsThreadLate ? clockAccess(isWrite: true) : nil)
        }
    }

    /// A misuse touches what the operation would have changed.
    private func footprintOfMisuse(_ operation: Operation, into list: UnsafeMutablePointer<Access>) -> Int {
        let object = Access(Int32(truncatingIfNeeded: operation.object), isWrite: true)
        switch operation.kind.row.range {
        case .writesThread:
            let target = Threads.target(of: operation, in: self) ?? 0
            return fill(list, Access(Access.thread(target), isWrite: true), seat(operation))
        case .writesMutexAndObject:
            return fill(list, Access(Int32(truncatingIfNeeded: operation.a), isWrite: true), object)
        case .nothing, .readsObject, .writesObject, .everything: return fill(list, object)
        }
    }

    /// The seat of the thread that the operation concerns, if it has one.
    private func seat(_ operation: Operation, isWrite: Bool = false) -> Access? {
        operation.object == 0 ? nil : Access(Int32(truncatingIfNeeded: operation.object), isWrite: isWrite)
    }

    /// Steps depend on the clock only where steps move it and the program can read it. Elsewhere no step reads it, or
    /// it moves only when no thread can do anything but repeat itself, so no step is concurrent with that.
    private func clockAccess(isWrite: Bool) -> Access? {
        header.pointee.scalars.mayTimeOut && header.pointee.scalars.showsClock
            ? Access(Access.clock, isWrite: isWrite) : nil
    }

    @inline(always) private func fill(
        _ list: UnsafeMutablePointer<Access>, _ first: Access?, _ second: Access? = nil, _ third: Access? = nil
    ) -> Int {
        var count = 0
        if let first { (list[count], count) = (first, count + 1) }
        if let second { (list[count], count) = (second, count + 1) }
        if let third { (list[count], count) = (third, count + 1) }
        return count
    }

    /// Adds what the thread watches. A write of any of it enables the first read of another attempt at an `await`, so
    /// this read depends on all of it.
    private func addWatches(of thread: Int, to list: UnsafeMutablePointer<Access>) -> Int {
        var count = 1
        for i in 0..<header.pointee.scalars.watchCount where header.pointee.watches[i].thread == Int32(thread) {
            let thing = Int32(truncatingIfNeeded: header.pointee.watches[i].object)
            if thing == list[0].thing { continue }
            list[count] = Access(thing, isWrite: false)
            count += 1
        }
        return count
    }

    /// Adds the lives of the threads that count against the limit on threads: whether another thread can be created
    /// depends on them.
    ///
    /// - Parameter oldCount: the number of things in the list so far.
    private func addThreads(besides thread: Int, to list: UnsafeMutablePointer<Access>, _ oldCount: Int) -> Int {
        var count = oldCount
        for other in 0..<threadCount where other != thread && exists(other) {
            list[count] = Access(Access.thread(other), isWrite: false)
            count += 1
        }
        return count
    }

    /// The maximum number of things in a footprint in the present state: three of an operation by itself, and those
    /// that some steps have in addition.
    package var longestFootprint: Int {
        header.pointee.scalars.watchCount + 3 + (pieces?.longest ?? 0)
            + (threadLimit < Self.maximumThreads ? threadCount : 0)
    }
}
