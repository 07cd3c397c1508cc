/// Steps on atomics under a weaker memory model.
extension MachineState {
    /// The graph of the run. Nil: it is sequentially consistent.
    @inline(always) package var weakMemory: WeakMemory? {
        header.pointee.weakMemory?._withUnsafeGuaranteedRef { $0 }
    }

    /// Whether the thread's next step is one whose ways the graph decides.
    @inline(always) func isWeak(_ thread: Int) -> Bool {
        header.pointee.weakMemory != nil && threads[thread].status == .announced
            && threads[thread].operation.kind.isOnAtomic
    }

    /// The ruling on a step on an atomic, in its first way.
    @inline(never) func weakRuling(on thread: Int, _ memory: WeakMemory) -> Ruling {
        let operation = threads[thread].operation
        if operation.isRenewedLook && !isStirred(thread) && !hasNews(thread, memory) { return .blocked(.load) }
        return memory.firstRuling(thread, operation, self)
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
    /// Whether it is an operation on an atomic.
    @inline(always) package var isOnAtomic: Bool {
        rawValue >= Operation.Kind.load.rawValue && rawValue <= Operation.Kind.weakCompareExchange.rawValue
    }
}
