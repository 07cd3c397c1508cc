/// Steps on atomics under a weaker memory model. What such a step can read, or where its write can be put, are its
/// *ways*: the alternatives among which the chooser picks.
extension MachineState {
    /// The execution graph of the run. Nil: the run is sequentially consistent.
    @inline(always) package var weakMemory: WeakMemory? {
        header.pointee.weakMemory?._withUnsafeGuaranteedRef { $0 }
    }

    /// Whether the thread's next step is on an atomic, so that the graph decides its ways.
    @inline(always) func isWeak(_ thread: Int) -> Bool {
        header.pointee.weakMemory != nil && threads[thread].status == .announced
            && threads[thread].operation.kind.isOnAtomic
    }

    /// The same (`isWeak`) for other modules.
    package func hasWeakWays(_ thread: Int) -> Bool { isWeak(thread) }

    /// For each way of the thread's next step: how many writes are newer than the one that the step reads or makes.
    /// Empty if the graph does not decide its ways.
    ///
    /// - Parameter ways: the maximum number of ways that are examined.
    package func newerWrites(_ thread: Int, ways: Int) -> [Int] {
        guard let memory = weakMemory, isWeak(thread) else { return [] }
        let operation = threads[thread].operation
        let count = min(memory.findWays(thread, operation, self), ways)
        let newest = memory.graph.messageCount(of: operation.object) - (operation.kind == .store ? 0 : 1)
        return (0..<count).map { newest - memory.place(ofWay: $0) }
    }

    /// The ruling on a step on an atomic if it is taken in its first way.
    @inline(never) func weakRuling(on thread: Int, _ memory: WeakMemory) -> Ruling {
        let operation = threads[thread].operation
        if operation.isRenewedLook && !isStirred(thread) && !hasNews(thread, memory) { return .blocked(.load) }
        return memory.firstRuling(thread, operation, self)
    }

    /// Whether the thread's last step, a weak compare-exchange that failed, had found the expected word. Called before
    /// another thread steps.
    package func hasFailedSpuriously(_ thread: Int, on object: UInt32, expecting word: Int) -> Bool {
        guard let memory = weakMemory else { return self.object(object).value == word }
        // The object may hold a newer value than the one that the step found.
        return memory.graph.lastEvent(of: thread).pointee.value == word
    }

    /// Whether something that the thread watches has a message that it has not seen.
    private func hasNews(_ thread: Int, _ memory: WeakMemory) -> Bool {
        for i in 0..<header.pointee.scalars.watchCount where header.pointee.watches[i].thread == Int32(thread) {
            let object = header.pointee.watches[i].object
            if header.pointee.objects[Int(object)].kind.isAtomic && memory.hasNews(object, for: thread) {
                return true
            }
        }
        return false
    }
}

extension Operation.Kind {
    /// Whether it is an operation on an atomic or on a plain cell.
    @inline(always) package var isAccess: Bool { isOnAtomic || self == .read || self == .write }

    /// Whether it is an operation on an atomic.
    @inline(always) package var isOnAtomic: Bool {
        rawValue >= Operation.Kind.load.rawValue && rawValue <= Operation.Kind.weakCompareExchange.rawValue
    }
}
