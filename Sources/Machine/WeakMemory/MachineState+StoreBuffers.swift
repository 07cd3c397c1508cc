import Trace

/// Steps on atomics with store buffers.
extension MachineState {
    /// The buffers, in a search by states under tso. Nil: stores reach memory at once, or the run has a graph.
    @inline(always) package var buffers: StoreBuffers? {
        guard let memory = weakMemory, memory.isBuffered else { return nil }
        return memory.buffers
    }

    /// Whether some store has not reached memory.
    package var hasPendingStores: Bool { buffers.map { $0.total > 0 } ?? false }

    /// The number of the thread's stores that have not.
    package func pendingStores(of thread: Int) -> Int { buffers?.count(of: thread) ?? 0 }

    /// One of them, the oldest first.
    package func pendingStore(_ index: Int, of thread: Int) -> StoreBuffers.Store {
        guard let buffers else { preconditionFailure("the run has no store buffers") }
        return buffers.store(thread, index)
    }

    /// Whether the thread's load of an atomic reads a store of its own that has not reached memory.
    package func readsPendingStore(_ thread: Int) -> Bool {
        guard let buffers, threads[thread].operation.kind == .load else { return false }
        return buffers.contains(threads[thread].operation.object, of: thread)
    }

    // MARK: - What waits for what

    /// Whose stores have to reach memory before a step.
    package enum Drain: Equatable {
        case none, own
        /// Those of a thread that it joins, too.
        case ownAnd(Int)
        /// The process exits, or all memory is looked at.
        case everybodys
    }

    /// Whose stores have to reach memory before the thread's next step: what `GraphEvent.ordersLaterLoads` and the order of
    /// tso say of it.
    ///
    /// A step is not blocked by that: they reach it as a part of the step. What others could find in between, they find
    /// where the stores reach memory by moves of their own.
    package func drain(before thread: Int) -> Drain {
        guard threads[thread].status == .announced else { return .own }
        let operation = threads[thread].operation
        switch operation.kind.row.drain {
        case .none: return .none
        case .own: return .own
        case .ownIfStrong: return operation.orders.order == .seqcst ? .own : .none
        case .ownAndTargets:
            guard let target = Threads.target(of: operation, in: self) else { return .own }
            return life(of: target) == .ended ? .ownAnd(target) : .none
        case .everybodys: return .everybodys
        }
    }

    /// Whether time may pass although stores have not reached memory: some thread waits for a moment, and none of them can let
    /// a thread continue that waits for a value. For a state in which no thread can step.
    package var mayPassTimeBesideStores: Bool {
        guard let buffers, waitsForTime else { return false }
        return !(0..<threadCount).contains { thread in
            (0..<header.pointee.scalars.watchCount).contains { index in
                let watch = header.pointee.watches[index]
                return watch.thread != Int32(thread) && buffers.contains(watch.object, of: thread)
                    && !buffers.contains(watch.object, of: Int(watch.thread))
            }
        }
    }

    /// Whether the thread's next step writes a plain cell that claims read on the way: it is written at once, and on x86 its store waits in
    /// the buffer.
    package func writesObservedCell(_ thread: Int) -> Bool {
        guard let memory = weakMemory, memory.isJudgedOnTheWay else { return false }
        let operation = threads[thread].operation
        return operation.kind == .write && header.pointee.objects[Int(operation.object)].isObserved
    }

    /// Notes that the thread's step, which writes such a cell, can come before what comes before it in program order; or, afterwards, that
    /// what comes behind it can come before it.
    package func noteOvertaking(by thread: Int, hasWritten: Bool) {
        guard let memory = weakMemory else { return }
        let isOvertaking = hasWritten ? drain(before: thread) == .none : memory.buffers.count(of: thread) > 0
        if isOvertaking { memory.buffers.noteOvertaken() }
    }

    // MARK: - Steps

    /// The oldest of the thread's stores reaches memory.
    package func flush(_ thread: Int) {
        guard let buffers else { preconditionFailure("the run has no store buffers") }
        let store = buffers.removeFirst(of: thread)
        // The thread itself has read it already.
        let wasStirred = threads[thread].isStirred
        if header.pointee.scalars.watchCount != 0 { stir(store.object) }
        threads[thread].isStirred = wasStirred
        header.pointee.objects[Int(store.object)].value = store.word
    }

    /// The thread takes its step if that is a store that goes into its buffer. Nil: it is another one.
    func takeIntoBuffer(_ thread: Int) -> StepResult? {
        let operation = threads[thread].operation
        guard let buffers, operation.kind == .store, operation.orders.order != .seqcst,
            threads[thread].status == .announced
        else { return nil }
        if buffers.count(of: thread) == StoreBuffers.most {
            buffers.noteOverfull()
            flush(thread)
        }
        buffers.append(StoreBuffers.Store(object: operation.object, word: operation.a), by: thread)
        threads[thread].status = .running
        threads[thread].gate = .closed
        return StepResult(.done, 0, .store)
    }

    /// The ruling on a step on an atomic. One that has to wait for the buffer finds what memory holds then.
    func bufferedRuling(on thread: Int, _ buffers: StoreBuffers) -> Ruling {
        let operation = threads[thread].operation
        guard operation.kind == .load, let word = buffers.newestWord(of: operation.object, by: thread) else {
            return Rule.ruling(operation, .announced, of: thread, in: self)
        }
        return operation.isRenewedLook && !isStirred(thread) ? .blocked(.load) : .done(.load, word)
    }

    /// The number of ways of a step on an atomic.
    func bufferedAlternatives(of thread: Int) -> Int {
        threads[thread].operation.kind == .weakCompareExchange && mayFailSpuriously(thread) ? 2 : 1
    }
}

// MARK: - The end

extension MachineState {
    /// What memory can hold when all stores have reached it. The execution must have ended: the buffers are empty afterwards.
    ///
    /// - Parameter most: the maximum number of states between here and there that are visited. Only where an execution *fails* do stores
    ///   still wait.
    /// - Returns: with whether all were visited.
    package func drainAtEnd(most: Int) -> (memories: [[MemoryWord]], isAll: Bool) {
        guard let buffers, buffers.total > 0 else { return ([memory], true) }
        var isAll = true
        var found: Set<[MemoryWord]> = []
        var seen: Set<[Int]> = []
        func visit() {
            if buffers.total == 0 {
                found.insert(memory)
                return
            }
            let counts = (0..<threadCount).map { buffers.count(of: $0) }
            guard seen.insert(counts + memory.map(\.value)).inserted else { return }
            if seen.count > most {
                isAll = false
                return
            }
            for thread in 0..<threadCount where buffers.count(of: thread) > 0 {
                let store = buffers.store(thread, 0)
                let old = object(store.object).value
                flush(thread)
                visit()
                header.pointee.objects[Int(store.object)].value = old
                buffers.putBack(store, of: thread)
            }
        }
        visit()
        buffers.reset()
        return (found.sorted { $0.map(\.value).lexicographicallyPrecedes($1.map(\.value)) }, isAll)
    }
}
