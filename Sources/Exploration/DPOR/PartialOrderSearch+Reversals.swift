import Machine

/// Finds, after an execution, which of its dependent steps could have come in the other order, and schedules what must
/// be tried to reverse them.
///
/// Steps i and j of different threads *race* if they are dependent, nothing else orders i before j, and j could have
/// been taken in place of i, after the steps that do not happen after i. The search then has to try, at i's node, the
/// steps that do not happen after i, followed by j.
extension PartialOrderSearch.Memory {
    /// Finds the races of the new steps.
    ///
    /// - Parameter isCutOff: whether the execution was given up as too long or endless. Its steps from `longestUnfair`
    ///   on, in which threads took turns, are then not reversed.
    mutating func findRaces(isCutOff: Bool) {
        let end = isCutOff ? min(trail.steps.count, Self.longestUnfair) : trail.steps.count
        for number in firstToReverse..<max(firstToReverse, end) {
            let step = trail.steps.base + number
            if step.pointee.thread == TakenStep.noThread { continue }
            if step.pointee.touchesWorld {
                findRacesWithEnd(number, isExit: true)
                continue
            }
            if step.pointee.endsRun { findRacesWithEnd(number, isExit: false) }
            let first = Int(step.pointee.firstTouch)
            for touch in first..<first &+ Int(step.pointee.touchCount) { findRaces(of: number, touch) }
        }
    }

    /// Finds the races of a step on one of the things that it touches: goes back through the earlier accesses of the
    /// thing, as long as the step could be reversed with them.
    ///
    /// - Parameters:
    ///   - later: the step.
    ///   - touch: the index of its touch of the thing.
    mutating func findRaces(of later: Int, _ touch: Int) {
        let step = trail.steps.base + later
        let access = trail.touches[touch].access
        let canBlock = step.pointee.canBlock
        seen.removeAll()
        var index = trail.touches[touch].candidate
        while index >= 0 {
            let candidate = trail.touches[Int(index)]
            index = access.isWrite ? candidate.previous : candidate.lastWrite
            let earlier = Int(candidate.step)
            guard earlier != later else { continue }
            let thread = trail.steps[earlier].thread
            if thread == step.pointee.thread || trail.isSeen(earlier, by: later) {
                if candidate.access.isWrite { break }
                seen.insert(thread)
                continue
            }
            // An access is not immediate if others have to be reversed first: for a read, a later read of its thread;
            // for a write, unless the step can block, the reads that follow it.
            let isImmediate = candidate.access.isWrite ? canBlock || seen.isEmpty : !seen.contains(thread)
            if isImmediate && reverse(earlier, later, candidate) {
                if candidate.access.isWrite { break }
                seen.insert(thread)
            } else if candidate.access.isWrite && !canBlock {
                break
            } else if step.pointee.isWriteLock && candidate.owner == 0 && candidate.count == 0 {
                // The lock was free, so the candidate is the first of the readers that held it together.
                reverseReaders(candidate, later)
            }
        }
    }

    /// Reverses a writer, the later step, with readers that hold the lock together. They cannot be reversed one by one,
    /// so the writer is tried before all of them, where the lock is free.
    ///
    /// - Parameter first: the touch of the first of these readers.
    private mutating func reverseReaders(_ first: Touch, _ later: Int) {
        let earlier = Int(first.step)
        sequenceEnd = trail.steps.count
        forcedLeaves.leaveOut(after: earlier, for: later, trail)
        let footprint = footprint(of: later, ruling(later, at: earlier, first, withReaders: false))
        collectSequence(notAfter: earlier, withoutReadersOf: first.access.thing)
        if isAfterLeftOut(trail.before(later)) || needsEnd(later, evenWithout: earlier) { return }
        insert(at: earlier, last: later, footprint)
    }

    /// Schedules the later step before the earlier one. Returns false if it could not have been taken there.
    private mutating func reverse(_ earlier: Int, _ later: Int, _ touch: Touch) -> Bool {
        sequenceEnd = trail.steps.count
        forcedLeaves.leaveOut(after: earlier, for: later, trail)
        if !watch.isEmpty && isForbidden(later, before: earlier) { return false }
        if needsEnd(later, evenWithout: earlier) { return false }
        // The race is on the life of the later step's own thread, which ends with the step.
        if touch.access.thing == Access.thread(Int(trail.steps[later].thread)) && trail.steps[later].isLast {
            if isOrderedOtherwise(earlier, later) { return holdOff(earlier) }
            collectSequence(notAfter: earlier)
            insert(at: earlier, last: later, Footprint(trail, trail.steps[later]))
            return true
        }
        guard let own = objectTouch(of: later, besides: touch) else {
            return reverse(earlier, later, ruling(later, at: earlier, touch))
        }
        // What the later step does with its lock may order it after the earlier step, or block it there.
        if isOrdered(earlier, by: own) { return holdOff(earlier) }
        return reverse(earlier, later, ruling(later, at: earlier, trail.touches[own]))
    }

    private mutating func reverse(_ earlier: Int, _ later: Int, _ ruling: Ruling) -> Bool {
        if ruling.isBlocked { return holdOff(earlier) }
        collectSequence(notAfter: earlier)
        insert(at: earlier, last: later, footprint(of: later, ruling))
        return true
    }

    /// Whether the later step, which its thread would have taken next, can only come after the step that ended the run,
    /// although the run would have ended so without the earlier step too.
    private func needsEnd(_ later: Int, evenWithout earlier: Int) -> Bool {
        let last = later - 1
        return trail.steps[last].endsRun && !trail.isNeeded(earlier) && trail.isSeen(last, by: later)
    }

    /// Whether the part's orders forbid the later step before the earlier one: the later step has to wait for a step
    /// that would then come after it.
    func isForbidden(_ later: Int, before earlier: Int) -> Bool {
        watch.forbids(later) { $0 < earlier || isInSequence($0, notAfter: earlier) }
    }

    /// Whether the earlier step is also ordered before the later one, with which a thread ends, in another way: by
    /// something else that the later step touches, or by time.
    private mutating func isOrderedOtherwise(_ earlier: Int, _ later: Int) -> Bool {
        if trail.isBeforeFront(earlier, of: later) { return true }
        let first = Int(trail.steps[later].firstTouch)
        for own in first..<first + Int(trail.steps[later].touchCount) - 1 where isOrdered(earlier, by: own) {
            return true
        }
        return false
    }

    /// Whether this touch of a later step orders the earlier step before it.
    private func isOrdered(_ earlier: Int, by own: Int) -> Bool {
        let thread = Int(trail.steps[earlier].thread)
        var index = trail.touches[own].candidate
        while index >= 0 {
            let candidate = trail.touches[Int(index)]
            if trail.after(Int(candidate.step))[thread] > Int32(truncatingIfNeeded: earlier) { return true }
            if candidate.access.isWrite { break }
            index = candidate.previous
        }
        return false
    }

    /// If the race is on the memory in which the later step's own object is stored (a lock, for example): the index of
    /// the step's touch of that object, whose words decide whether the step can be taken. Nil: the race is on something
    /// else.
    private func objectTouch(of later: Int, besides touch: Touch) -> Int? {
        let step = trail.steps[later]
        guard step.status == .announced, !step.kind.isAccess, !step.kind.isOnThread, touch.access.thing > 0,
            touch.access.thing != Int32(truncatingIfNeeded: step.object), touch.words.kind == .cell
        else { return nil }
        let first = Int(step.firstTouch)
        return (first..<first + Int(step.touchCount)).first {
            trail.touches[$0].access.thing == Int32(truncatingIfNeeded: step.object)
        }
    }

    /// Called if the later step cannot come before the earlier one. Returns false.
    ///
    /// If the earlier step is a detach, which can break a cycle of joins, also schedules the steps up to the later one
    /// that do not need the detach, to be tried before it.
    private mutating func holdOff(_ earlier: Int) -> Bool {
        if trail.steps[earlier].kind == .detach {
            collectSequence(notAfter: earlier)
            insertSequence(at: earlier)
        }
        return false
    }

    /// Schedules the collected sequence at the node.
    private mutating func insertSequence(at depth: Int) {
        guard let last = sequence.all.last.map(Int.init) else { return }
        sequence.removeLast(of: trail.steps[last].thread)
        insert(at: depth, last: last, Footprint(trail, trail.steps[last]), isOpen: true)
    }

    // MARK: - What could be taken at the earlier node

    /// Whether the step comes after the earlier one without happening after it, and before `sequenceEnd`.
    @inline(__always) private func isInSequence(_ step: Int, notAfter earlier: Int) -> Bool {
        if step <= earlier || step >= sequenceEnd || trail.isBefore(earlier, step) { return false }
        if trail.steps[step].failsAwait { return false }
        if forcedLeaves.areLeftOut && forcedLeaves.leaveOut(trail.after(step)) { return false }
        // If the run's end needed the earlier step, the step that ended the run is an ordinary one without it.
        return !trail.steps[step].endsRun || trail.isNeeded(earlier)
    }

    /// Collects the steps after the earlier one that do not happen after it.
    mutating func collectSequence(notAfter earlier: Int) {
        sequence.begin(width: trail.width, end: trail.steps.count)
        for step in earlier + 1..<max(earlier + 1, sequenceEnd) {
            if trail.isBefore(earlier, step) { continue }
            let own = trail.steps.base + step
            if own.pointee.thread == TakenStep.noThread || own.pointee.failsAwait { continue }
            if own.pointee.endsRun && !trail.isNeeded(earlier) { continue }
            if forcedLeaves.areLeftOut && forcedLeaves.leaveOut(trail.after(step)) { continue }
            sequence.append(Int32(truncatingIfNeeded: step), of: own.pointee.thread)
        }
    }

    /// Collects the steps after the earlier one that do not happen after it, except those of readers that would hold
    /// the lock at the end of the sequence, and what happens after these.
    private mutating func collectSequence(notAfter earlier: Int, withoutReadersOf lock: Int32) {
        leftOut.refill(to: trail.width, with: StepSequence.none)
        while leavesOutReaders(notAfter: earlier, lock) {}
    }

    /// Collects the sequence without the steps left out so far, then leaves out the readers that hold the lock at its
    /// end. Returns whether there were any, so that the sequence must be collected again.
    private mutating func leavesOutReaders(notAfter earlier: Int, _ lock: Int32) -> Bool {
        sequence.begin(width: trail.width, end: trail.steps.count)
        readers.refill(to: trail.width, with: Reader())
        for step in earlier + 1..<max(earlier + 1, sequenceEnd) {
            let thread = trail.steps.base[step].thread
            guard thread != TakenStep.noThread, isInSequence(step, notAfter: earlier) else { continue }
            if isAfterLeftOut(trail.after(step)) { continue }
            sequence.append(Int32(truncatingIfNeeded: step), of: thread)
            let change = changeOfReaders(step, lock)
            if change > 0 && readers[Int(thread)].holds == 0 { readers.base[Int(thread)].since = Int32(step) }
            readers.base[Int(thread)].holds += change
        }
        var hasFound = false
        for thread in 0..<trail.width where readers[thread].holds > 0 {
            leftOut.base[thread] = readers[thread].since
            hasFound = true
        }
        return hasFound
    }

    /// The change that the step made to the number of the lock's readers.
    private func changeOfReaders(_ step: Int, _ lock: Int32) -> Int32 {
        let taken = trail.steps[step]
        let touches = Int(taken.firstTouch)..<Int(taken.firstTouch + taken.touchCount)
        guard let touch = touches.first(where: { trail.touches[$0].access.thing == lock }) else { return 0 }
        return Int32(trail.touches[touch].readers)
    }

    /// Whether a step that is left out of the sequence is in the clock.
    private func isAfterLeftOut(_ clock: UnsafeMutablePointer<Int32>) -> Bool {
        (0..<trail.width).contains { clock[$0] > leftOut[$0] }
    }

    /// The ruling on the later step if it is taken at the earlier one's node, after the sequence.
    ///
    /// - Parameters:
    ///   - touch: the earlier step's touch of the thing that both access, with its words before the earlier step.
    ///   - withReaders: whether the sequence includes the readers' steps on the lock of the touch.
    private mutating func ruling(_ later: Int, at earlier: Int, _ touch: Touch, withReaders: Bool = true) -> Ruling {
        let step = trail.steps[later]
        // A thing with a negative number is not an object.
        var then = PastCircumstances(
            number: UInt32(max(0, touch.access.thing)), words: touch.words, time: trail.steps[earlier].time,
            mayTimeOut: mayTimeOut, mayWakeSpuriously: step.isSpurious)
        then.letsReadersIn = touch.letsReadersIn
        if withReaders && (step.isWriteLock || step.status == .queued) {
            then.words.count = readersLeft(touch, at: earlier)
        }
        if step.kind.isOnThread { addThread(of: later, at: earlier, touch, to: &then) }
        // A read that an `await` repeats waits for a write of what the thread watches, unless its comparison is known.
        if step.kind.isLook && step.b < 0 {
            then.isStirred = step.operation.awaited != nil || isStirred(later, at: earlier)
        }
        return Rule.ruling(step.operation, step.status, of: Int(step.thread), then: then)
    }

    /// For a join or detach: adds what it would have found of its target thread at the earlier node. If the target was
    /// spawned by name, it has a *seat*, an object that the step reads to find it.
    private mutating func addThread(of later: Int, at earlier: Int, _ touch: Touch, to then: inout PastCircumstances) {
        let step = trail.steps[later]
        let first = Int(step.firstTouch)
        for own in first..<first + Int(step.touchCount) where trail.touches[own].access.thing > 0 {
            let seat = trail.touches[own]
            if seat.access.thing != touch.access.thing {
                then.seat = (UInt32(seat.access.thing), seat.words)
            }
        }
        guard let target = Access.thread(of: touch.access.thing) else { return }
        then.life = ThreadLife(rawValue: UInt8(truncatingIfNeeded: touch.value)) ?? .alive
        if then.life == .alive && hasEnded(target, before: earlier) { then.life = .ended }
    }

    /// The number of the lock's readers after the sequence.
    private mutating func readersLeft(_ touch: Touch, at earlier: Int) -> Int32 {
        var left = touch.count
        var index = trail.head(of: touch.access.thing)
        while index >= 0 && Int(trail.touches[Int(index)].step) > earlier {
            let own = trail.touches[Int(index)]
            index = own.previous
            guard isInSequence(Int(own.step), notAfter: earlier) else { continue }
            left += Int32(own.readers)
        }
        return left
    }

    private mutating func hasEnded(_ thread: Int, before earlier: Int) -> Bool {
        let last = trail.lastStep(of: thread)
        guard last >= 0, trail.steps[last].isLast else { return false }
        return last < earlier || isInSequence(last, notAfter: earlier)
    }

    /// Whether something that the later step's thread watches is written before the earlier step, or in the sequence.
    private mutating func isStirred(_ later: Int, at earlier: Int) -> Bool {
        let step = trail.steps[later]
        let first = Int(step.firstTouch)
        for touch in first..<first + Int(step.touchCount) {
            var index = trail.touches[touch].previous
            while index >= 0 {
                let candidate = trail.touches[Int(index)]
                // The thread began to watch the object with this step.
                if trail.steps[Int(candidate.step)].thread == step.thread { break }
                if hasWritten(candidate) {
                    if Int(candidate.step) < earlier { return true }
                    if isInSequence(Int(candidate.step), notAfter: earlier) { return true }
                }
                index = candidate.previous
            }
        }
        return false
    }

    /// Whether the step wrote what it touched. A weak compare-exchange that failed spuriously did not, although its
    /// footprint is a write.
    private func hasWritten(_ touch: Touch) -> Bool {
        let step = trail.steps[Int(touch.step)]
        return touch.access.isWrite && !(step.kind == .weakCompareExchange && step.way != 0)
    }

    /// The footprint of the later step if it is taken at the earlier step's node.
    private mutating func footprint(of later: Int, _ ruling: Ruling) -> Footprint {
        let step = trail.steps[later]
        var footprint = Footprint(trail, step)
        guard step.status == .announced, footprint.first.thing == Int32(truncatingIfNeeded: step.object) else {
            return footprint
        }
        // Whether the step would find the expected value there, and so could fail spuriously, is not known.
        if step.kind == .weakCompareExchange && mayFailSpuriously { return .unknown }
        // The step's time limit has passed, which touches the clock. What it would touch before that is not known.
        if footprint.count > 1 && footprint.second.thing == Access.clock { return .unknown }
        // What a compare-exchange on several objects would find is not known.
        if footprint.count > 1 && step.kind == .compareExchange { return .unknown }
        // The step touches its object, and at most another object: the ruling says what it does with its own.
        if footprint.count == 1 || footprint.second.thing > 0 {
            let reach = ruling.act.reach
            if reach == .readsObject || reach == .writesObject { footprint.first.isWrite = reach == .writesObject }
        }
        return footprint
    }
}
