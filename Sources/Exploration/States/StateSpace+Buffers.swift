import Machine

/// Moves in which stores reach memory, under tso.
extension StateSpace {
    /// Visits the states that follow the present one: a thread steps, or a buffer's oldest store reaches memory.
    func forEachBufferedMove(_ enabled: UnsafeBufferPointer<UInt16>, _ visit: Visitor) {
        let threads = Array(enabled)
        if mayPassTime(threads) { passTime(isBranch: machine.hasPendingStores, visit) }
        let able = Set(threads.map(Int.init))
        let buffers = Set((0..<machine.threadCount).filter { machine.pendingStores(of: $0) > 0 })
        let acting = able.union(buffers).sorted()
        var chosen = Set(acting)
        if isReduced && acting.count > 1 {
            let list = acting.map { UInt16($0) }
            let set = list.withUnsafeBufferPointer { independentThreads($0) }
            if set != 0 { chosen = chosen.filter { set & 1 << UInt64($0) != 0 } }
        }
        var mustFollowAll = false
        func follow(_ isWanted: (Int) -> Bool) {
            for thread in acting where isWanted(thread) {
                if able.contains(thread) && self.follow(thread, visit) { mustFollowAll = true }
                if buffers.contains(thread) && flush(thread, visit) { mustFollowAll = true }
            }
        }
        follow(chosen.contains)
        if mustFollowAll { follow { !chosen.contains($0) } }
    }

    /// Whether time may pass although something else can happen: threads can only end waits without a signal, or the
    /// only pending stores are ones for which no thread waits.
    private func mayPassTime(_ threads: [UInt16]) -> Bool {
        let isQuiet = threads.withUnsafeBufferPointer { machine.isQuiet($0) }
        if !threads.isEmpty && !isQuiet { return false }
        return machine.hasPendingStores ? machine.mayPassTimeBesideStores : !threads.isEmpty
    }

    /// Visits the state in which the oldest store in the thread's buffer has reached memory.
    ///
    /// - Returns: whether that ends the execution, so that the move must not be the only one followed.
    private func flush(_ thread: Int, _ visit: Visitor) -> Bool {
        loadNow()
        machineMoveCount += 1
        (isDue, isBranch, isProgress) = (true, false, false)
        if raceWords != 0 { races?.willFlush(thread, machine) }
        subject.flush(thread)
        let isEnd = subject.verdict != nil
        encode(changed: subject.hasChangedOthers ? nil : thread)
        finish(.flush(thread), visit)
        return isEnd
    }

    /// Moves the stores to memory that must be there before the thread's next step.
    ///
    /// - Returns: whether these may include stores of other threads.
    func drain(before thread: Int) -> Bool {
        switch machine.drain(before: thread) {
        case .none: return false
        case .own:
            drain(thread)
            return false
        case .ownAnd(let other):
            drain(thread)
            drain(other)
            return true
        case .everybodys:
            for thread in 0..<machine.threadCount { drain(thread) }
            return true
        }
    }

    private func drain(_ thread: Int) {
        while machine.pendingStores(of: thread) > 0 {
            if raceWords != 0 { races?.willFlush(thread, machine) }
            subject.drain(thread)
        }
    }

    /// The number of alternatives of the thread's step. Whether a weak compare-exchange may fail depends on the
    /// thread's buffered stores.
    func bufferedAlternatives(of thread: Int) -> Int {
        guard machine.operation(of: thread).kind == .weakCompareExchange, machine.pendingStores(of: thread) > 0 else {
            return machine.alternatives(of: thread)
        }
        while machine.pendingStores(of: thread) > 0 { machine.flush(thread) }
        defer { goBack() }
        return machine.alternatives(of: thread)
    }

    // MARK: - Actors

    /// The number of threads and of their buffers: fairness demands that each store reaches memory.
    var actorCount: Int { isBuffered ? 2 * subject.mostThreads : subject.mostThreads }

    @inline(__always) func actor(of move: StateMove) -> Int {
        guard isBuffered, let thread = move.flushed else { return move.thread }
        return subject.mostThreads + thread
    }

    /// The move of an edge, with its first alternative.
    func move(_ edge: StateGraph.Edge) -> StateMove {
        if edge.isTime { return .passTime }
        return edge.thread < subject.mostThreads
            ? StateMove(thread: edge.thread, way: 0) : .flush(edge.thread - subject.mostThreads)
    }
}
