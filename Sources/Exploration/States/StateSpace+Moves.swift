import Machine

/// From state to state.
extension StateSpace {
    typealias Visitor = (StateMove, UnsafePointer<UInt32>) -> Void

    /// Visits the states to which the present one leads. If an execution has ended in the visited state, the subject is in
    /// it; the visitor may move it away.
    func forEachMove(_ visit: Visitor) {
        let threads = enabledThreads()
        if isBuffered { return forEachBufferedMove(threads, visit) }
        if mayWake && isQuiet(threads) {
            // That a wait ends without a signal need not happen, so this is no choice.
            passTime(isBranch: false, visit)
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

    /// Whether threads can only end waits without a signal in the present state.
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

    /// Lets time pass in the present state, although threads can step there.
    ///
    /// - Parameter isBranch: whether it is one of several alternatives, of which a fair scheduler owes none.
    func passTime(isBranch: Bool, _ visit: Visitor) {
        loadNow()
        subject.passTime()
        self.isBranch = isBranch
        (hasWays, isProgress) = (false, false)
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

    /// Takes the thread's step in each of its ways.
    ///
    /// - Returns: whether the step must not be taken alone.
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
        let ways = isBuffered ? bufferedAlternatives(of: thread) : machine.alternatives(of: thread)
        for way in 0..<ways { if take(thread, way, of: ways, visit) { isSpecial = true } }
        return isSpecial
    }

    /// Takes the thread's step. The subject is in the present state, before and afterwards.
    ///
    /// - Returns: whether the step must not be taken alone.
    private func take(_ thread: Int, _ way: Int, of ways: Int, _ visit: Visitor) -> Bool {
        machineMoveCount += 1
        isDue = machine.isDue(thread)
        hasWays = ways > 1
        isBranch = hasWays && machine.isFork(thread)
        let writesObserved = isBuffered && machine.writesObservedCell(thread)
        if writesObserved { machine.noteOvertaking(by: thread, hasWritten: false) }
        let drainsOthers = isBuffered && drain(before: thread)
        if raceWords == 0 {
            subject.take(thread, way: way)
        } else {
            let threadsBefore = machine.threadCount
            races?.willTake(thread, way: way, machine)
            subject.take(thread, way: way)
            races?.hasTaken(thread, threadsBefore: threadsBefore, machine)
        }
        if writesObserved { machine.noteOvertaking(by: thread, hasWritten: true) }
        if subject.hasFoundUnordered { hasFoundUnordered = true }
        let loops = subject.hasLooped(thread)
        if loops { hasLooped = true }
        let isSpecial = loops || subject.verdict != nil
        isProgress = subject.hasProgressed(thread)
        encode(changed: subject.hasChangedOthers || drainsOthers ? nil : thread)
        if remembers { remember(thread, way, of: ways) }
        finish(StateMove(thread: thread, way: way), visit)
        return isSpecial
    }

    /// The subject has moved, and the row is written.
    @inline(__always) func finish(_ move: StateMove, _ visit: Visitor) {
        moveCount += 1
        if machine.time > 0 { passesTime = true }
        finishRow()
        visit(move, UnsafePointer(next.base))
        goBack()
    }
}

/// Which steps need not be followed now.
extension StateSpace {
    /// A set of threads, with few that are enabled, whose next steps commute with all that the others can do before them.
    /// 0: only all of them.
    func independentThreads(_ enabled: UnsafeBufferPointer<UInt16>) -> UInt64 {
        let all = enabled.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
        var best: UInt64 = 0
        var fewest = enabled.count
        // Of a set whose threads need not step nothing may happen at all, and others would be forgotten.
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

    /// The smallest such set with this thread. 0: it has too many enabled threads.
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

    private func isIndependent(_ thread: Int, of other: Int) -> Bool {
        let (number, answer) = tables.pointee.independence.answer(
            (thread, other), present[thread + 1], present[other + 1], mayWake: mayWake)
        if let answer {
            // The key must have all that the answer depends on. Not each time: it would be as if nothing was remembered.
            assert(
                number & 15 != 0
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
