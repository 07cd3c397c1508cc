import Machine

/// Moves from the present state to the next ones.
extension StateSpace {
    /// Receives a move and the row of the state to which it leads.
    typealias Visitor = (StateMove, UnsafePointer<UInt32>) -> Void

    /// Visits the states that follow the present one. If an execution has ended in the visited state, the subject is in
    /// that state, and the visitor may move it elsewhere.
    func forEachMove(_ visit: Visitor) {
        let threads = enabledThreads()
        if mayWake && isQuiet(threads) {
            // No wait need end without a signal: time may pass instead. Fairness does not demand both, so this is not a
            // branch.
            passTime(visit)
        }
        let chosen = isReduced && threads.count > 1 ? independentThreads(threads) : 0
        var mustFollowAll = chosen == 0
        if chosen != 0 {
            for thread in threads where chosen & 1 << UInt64(thread) != 0 {
                if follow(Int(thread), visit) { mustFollowAll = true }
            }
        }
        if mustFollowAll {
            for thread in threads where chosen & 1 << UInt64(thread) == 0 || chosen == 0 { follow(Int(thread), visit) }
        }
    }

    /// Whether all that these threads, the enabled ones, can do is to leave waits without a signal.
    private func isQuiet(_ threads: UnsafeBufferPointer<UInt16>) -> Bool {
        let isQuiet = threads.allSatisfy { leavesEarly(Int($0)) }
        assert(
            !isCompared
                || {
                    loadNow()
                    return machine.isQuiet(threads)
                }() == isQuiet)
        return isQuiet
    }

    /// Visits the state in which time has passed, although threads can step in the present one.
    func passTime(_ visit: Visitor) {
        loadNow()
        subject.passTime()
        (isBranch, hasWays, isProgress) = (false, false, false)
        encode(changed: nil)
        finish(.passTime, visit)
    }

    /// The threads that can step in the present state.
    private func enabledThreads() -> UnsafeBufferPointer<UInt16> {
        if !remembers {
            loadNow()
            let count = machine.enabledThreads(into: enabled.base)
            return UnsafeBufferPointer(start: enabled.base, count: count)
        }
        var count = 0
        for thread in 0..<threadCount {
            enabled.base[count] = UInt16(truncatingIfNeeded: thread)
            if canStep(thread) { count += 1 }
        }
        let threads = UnsafeBufferPointer(start: enabled.base, count: count)
        assert(!isCompared || agreesWithMachine(threads), "the machine lets other threads step")
        return threads
    }

    private func agreesWithMachine(_ threads: UnsafeBufferPointer<UInt16>) -> Bool {
        loadNow()
        return threadCount == machine.threadCount
            && threads.map { Int($0) } == (0..<machine.threadCount).filter { machine.isEnabled($0) }
    }

    /// Visits the states after each alternative of the thread's step.
    ///
    /// - Returns: whether all other threads must be followed too, because the step ends the execution or begins another
    ///   round of a loop.
    @discardableResult
    func follow(_ thread: Int, _ visit: Visitor) -> Bool {
        var isSpecial = false
        if let known = knownStep(of: thread, way: 0)?.pointee {
            let ways = Int(known.ways)
            for way in 0..<ways {
                if let step = way == 0 ? known : knownStep(of: thread, way: way)?.pointee, replay(step, thread) {
                    if step.hasLooped { isSpecial = true }
                    hasWays = ways > 1
                    (isBranch, isDue, isProgress) = (step.isFork, step.isDue, step.isProgress)
                    moveCount += 1
                    finishRow()
                    visit(StateMove(thread: thread, way: way), UnsafePointer(next.base))
                } else {
                    loadNow()
                    if take(thread, way, of: ways, visit) { isSpecial = true }
                }
            }
            return isSpecial
        }
        loadNow()
        let ways = machine.alternatives(of: thread)
        for way in 0..<ways { if take(thread, way, of: ways, visit) { isSpecial = true } }
        return isSpecial
    }

    /// Takes the thread's step on the machine, with the alternative `way`, and visits the state after it. The subject
    /// is in the present state before and afterwards.
    ///
    /// - Returns: as `follow` does.
    private func take(_ thread: Int, _ way: Int, of ways: Int, _ visit: Visitor) -> Bool {
        machineMoveCount += 1
        isDue = machine.isDue(thread)
        hasWays = ways > 1
        isBranch = hasWays && machine.isFork(thread)
        if raceWords == 0 {
            subject.take(thread, way: way)
        } else {
            let threadsBefore = machine.threadCount
            races?.willTake(thread, way: way, machine)
            subject.take(thread, way: way)
            races?.hasTaken(thread, threadsBefore: threadsBefore, machine)
        }
        if subject.hasFoundUnordered { hasFoundUnordered = true }
        let loops = subject.hasLooped(thread)
        if loops { hasLooped = true }
        let isSpecial = loops || subject.verdict != nil
        isProgress = subject.hasProgressed(thread)
        encode(changed: subject.hasChangedOthers ? nil : thread)
        if remembers { remember(thread, way, of: ways) }
        finish(StateMove(thread: thread, way: way), visit)
        return isSpecial
    }

    /// Completes a move: visits the next row, which has been written, and returns the subject to the present state.
    @inline(__always) func finish(_ move: StateMove, _ visit: Visitor) {
        moveCount += 1
        if machine.time > 0 { passesTime = true }
        finishRow()
        visit(move, UnsafePointer(next.base))
        goBack()
    }
}

/// Which threads need not be followed in the present state.
extension StateSpace {
    /// A set of threads whose next steps commute with all that the other threads can do before them, with as few
    /// enabled threads as possible. 0: no set is smaller than that of all threads.
    func independentThreads(_ enabled: UnsafeBufferPointer<UInt16>) -> UInt64 {
        let all = enabled.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
        var best: UInt64 = 0
        var fewest = enabled.count
        // A thread that need not step at all, but can only leave a wait, is not such a set: if it were followed alone,
        // the steps of the others would be lost.
        for first in enabled where !mayWake || !leavesEarly(Int(first)) {
            let set = closure(of: Int(first), all, fewest)
            let size = (set & all).nonzeroBitCount
            if set != 0 && size < fewest {
                (best, fewest) = (set, size)
                if size == 1 { break }
            }
        }
        return best & all
    }

    /// The smallest such set that contains this thread. 0: it has too many enabled threads.
    private func closure(of first: Int, _ enabled: UInt64, _ limit: Int) -> UInt64 {
        var set: UInt64 = 1 << UInt64(first)
        var open = set
        while open != 0 {
            let thread = open.trailingZeroBitCount
            open &= open - 1
            for other in 0..<threadCount where set & 1 << UInt64(other) == 0 {
                if isIndependent(thread, of: other) { continue }
                set |= 1 << UInt64(other)
                open |= 1 << UInt64(other)
                if (set & enabled).nonzeroBitCount >= limit { return 0 }
            }
        }
        return set
    }

    /// Whether the thread's next step commutes with all that the other thread can do before it, according to the table
    /// or else to the subject.
    private func isIndependent(_ thread: Int, of other: Int) -> Bool {
        let (number, answer) = tables.pointee.independence.answer(
            (thread, other), present[thread + 1], present[other + 1], mayWake: mayWake)
        if let answer {
            // Checks that the key contains all on which the answer depends. Only one answer in 16: checking each would
            // make the table useless.
            assert(
                !number.isMultiple(of: 16)
                    || {
                        loadNow()
                        return subject.isIndependent(thread, of: other)
                    }() == answer)
            return answer
        }
        loadNow()
        let isIndependent = subject.isIndependent(thread, of: other)
        tables.pointee.independence.set(number, isIndependent)
        return isIndependent
    }
}
