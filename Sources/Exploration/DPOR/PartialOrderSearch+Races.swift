import Machine

/// After an execution: which of its dependent steps could have come in the other order, and what is to be tried for that.
///
/// Steps i and j of different threads *race* if they are dependent, nothing else puts i before j, and j could have been taken where i
/// was, with what does not come after i done before. Then at i's node the search has to try: the steps that do not happen after i,
/// and then j.
extension PartialOrderSearch.Memory {
    mutating func findRaces(_ form: PartialOrderSearch.Form) {
        for step in firstNew..<max(firstNew, trail.steps.count) where trail.steps[step].thread != Step.nobody {
            if trail.steps[step].kind == .exit {
                findRacesWithExit(step, form)
                continue
            }
            let first = Int(trail.steps[step].firstTouch)
            for touch in first..<first + Int(trail.steps[step].touchCount) { findRaces(of: step, touch, form) }
        }
    }

    /// A thread that is blocked when all is over would have liked to take its step earlier.
    mutating func findRacesOfBlocked(_ state: MachineState, _ form: PartialOrderSearch.Form) {
        for thread in 0..<state.threadCount where state.isBlocked(thread) {
            trail.append(thread, state)
            let number = trail.steps.count - 1
            let first = Int(trail.steps[number].firstTouch)
            for touch in first..<first + Int(trail.steps[number].touchCount) { findRaces(of: number, touch, form) }
            trail.removeLast()
        }
    }

    /// Goes back over what was done to a thing before the step, as far as it could have been otherwise.
    private mutating func findRaces(of later: Int, _ touch: Int, _ form: PartialOrderSearch.Form) {
        let step = trail.steps.base + later
        let access = trail.touches[touch].access
        let canBlock = step.pointee.canBlock
        var seen: UInt64 = 0
        var isReversed = false
        var firstReader: Touch?
        var index = trail.touches[touch].candidate
        while index >= 0 {
            let candidate = trail.touches[Int(index)]
            index = access.isWrite ? candidate.previous : candidate.lastWrite
            let earlier = Int(candidate.step)
            guard earlier != later else { continue }
            let thread = trail.steps[earlier].thread
            if thread == step.pointee.thread || trail.isSeen(earlier, by: later) {
                if candidate.access.isWrite { break }
                seen |= 1 << UInt64(thread)
                continue
            }
            // A read by a thread that has read again since, or a write before reads, comes before those.
            let isImmediate = candidate.access.isWrite ? canBlock || seen == 0 : seen & 1 << UInt64(thread) == 0
            if isImmediate && reverse(earlier, later, candidate, form) {
                isReversed = true
                if candidate.access.isWrite { break }
                seen |= 1 << UInt64(thread)
            } else if candidate.access.isWrite && !canBlock {
                break
            } else if !candidate.access.isWrite && candidate.owner == 0 && candidate.count == 0 {
                firstReader = candidate
            }
        }
        if !isReversed, step.pointee.isWriteLock, let firstReader { reverseAll(firstReader, later, form) }
    }

    /// Readers that wait for each other while they hold the lock cannot be reversed one by one: the writer is tried before all of them.
    private mutating func reverseAll(_ first: Touch, _ later: Int, _ form: PartialOrderSearch.Form) {
        collectSequence(notAfter: Int(first.step), upTo: trail.steps.count)
        leaveOutReaders(of: first.access.thing)
        insert(at: Int(first.step), last: later, footprint(of: later, where: first), form)
    }

    /// The process's exit cuts off whoever has not ended: it comes after all steps, and could have come before each thread's last.
    private mutating func findRacesWithExit(_ exit: Int, _ form: PartialOrderSearch.Form) {
        var seen: UInt64 = 1 << UInt64(trail.steps[exit].thread)
        for earlier in stride(from: exit - 1, through: 0, by: -1) {
            let thread = trail.steps[earlier].thread
            guard thread != Step.nobody, seen & 1 << UInt64(thread) == 0 else { continue }
            seen |= 1 << UInt64(thread)
            if trail.isSeen(earlier, by: exit) { continue }
            collectSequence(notAfter: earlier, upTo: trail.steps.count)
            insert(at: earlier, last: exit, Footprint(Access(Access.world, isWrite: true)), form)
        }
    }

    /// Sees to it that the later step is tried before the earlier one. False if it could not have been taken there.
    private mutating func reverse(
        _ earlier: Int, _ later: Int, _ touch: Touch, _ form: PartialOrderSearch.Form
    ) -> Bool {
        collectSequence(notAfter: earlier, upTo: form == .optimal ? trail.steps.count : later)
        guard isPossible(later, at: earlier, touch) else { return false }
        insert(at: earlier, last: later, footprint(of: later, where: touch), form)
        return true
    }

    // MARK: - What could be taken there

    /// The steps after this one that do not happen after it.
    private mutating func collectSequence(notAfter earlier: Int, upTo end: Int) {
        sequence.cut(to: 0)
        for step in earlier + 1..<max(earlier + 1, end) where !trail.isBefore(earlier, step) {
            sequence.append(Int32(truncatingIfNeeded: step))
        }
    }

    /// Whether the step can be taken at an earlier one's node, after the sequence. The touch tells what the thing was then, on
    /// which both depend.
    private func isPossible(_ later: Int, at earlier: Int, _ touch: Touch) -> Bool {
        let step = trail.steps[later]
        let owner = Int32(step.thread) + 1
        let isFree = touch.owner == 0 || (touch.owner == owner && touch.value == 1)
        if step.status == .waking { return touch.owner == 0 || touch.owner == owner }
        if step.status == .waiting { return step.isSpurious || isLate(step, at: earlier) }
        switch step.kind {
        case .lock: return isFree
        case .lockUntil: return isFree || isLate(step, at: earlier)
        case .semaphoreWait: return touch.value > 0
        case .semaphoreWaitUntil: return touch.value > 0 || isLate(step, at: earlier)
        case .readLock: return touch.owner == owner || canRead(touch)
        case .readLockUntil: return touch.owner == owner || canRead(touch) || isLate(step, at: earlier)
        case .writeLock: return !step.canBlock || touch.owner == owner || canWrite(touch)
        case .writeLockUntil: return !step.canBlock || canWrite(touch) || isLate(step, at: earlier)
        case .join: return hasEnded(step.a, before: earlier)
        case .joinUntil: return hasEnded(step.a, before: earlier) || isLate(step, at: earlier)
        case .read, .load, .semaphoreValue: return step.b != Operation.Watch.again || isStirred(later, at: earlier)
        default: return true
        }
    }

    private func isLate(_ step: Step, at earlier: Int) -> Bool { step.b <= trail.steps[earlier].time || mayTimeOut }

    private func canRead(_ touch: Touch) -> Bool { touch.owner == 0 && touch.value != 0 }

    /// Whether no reader is left when the sequence has been taken.
    private func canWrite(_ touch: Touch) -> Bool {
        if touch.owner != 0 { return false }
        var readers = Int(touch.count)
        for index in 0..<sequence.count {
            let step = trail.steps[Int(sequence[index])]
            guard step.object == UInt32(touch.access.thing) else { continue }
            switch step.kind {
            case .readLock, .readLockUntil, .tryReadLock: readers += gotIn(Int(sequence[index])) ? 1 : 0
            case .unlockShared: readers -= 1
            default: break
            }
        }
        return readers == 0
    }

    private func gotIn(_ step: Int) -> Bool { canRead(trail.touches[Int(trail.steps[step].firstTouch)]) }

    /// Without the readers, and whatever comes after them.
    private mutating func leaveOutReaders(of thing: Int32) {
        var kept = 0
        firsts.cut(to: 0)
        for index in 0..<sequence.count {
            let step = Int(sequence[index])
            let first = Int(trail.steps[step].firstTouch)
            let touchesIt = (first..<first + Int(trail.steps[step].touchCount)).contains {
                trail.touches[$0].access.thing == thing
            }
            let isAfterOne = (0..<firsts.count).contains { trail.isBefore(Int(firsts[$0]), step) }
            if touchesIt || isAfterOne {
                firsts.append(sequence[index])
            } else {
                sequence[kept] = sequence[index]
                kept += 1
            }
        }
        sequence.cut(to: kept)
    }

    private func hasEnded(_ thread: Int, before earlier: Int) -> Bool {
        let last = trail.lastStep(of: thread)
        guard last >= 0, trail.steps[last].isLast else { return false }
        return last < earlier || (0..<sequence.count).contains { Int(sequence[$0]) == last }
    }

    /// Whether something that the thread watches is written before the earlier step, or in the sequence.
    private func isStirred(_ later: Int, at earlier: Int) -> Bool {
        let step = trail.steps[later]
        let first = Int(step.firstTouch)
        for touch in first..<first + Int(step.touchCount) {
            var index = trail.touches[touch].previous
            while index >= 0 {
                let candidate = trail.touches[Int(index)]
                // Here the thread began to watch it.
                if trail.steps[Int(candidate.step)].thread == step.thread { break }
                if candidate.access.isWrite {
                    if Int(candidate.step) < earlier { return true }
                    if (0..<sequence.count).contains(where: { sequence[$0] == candidate.step }) { return true }
                }
                index = candidate.previous
            }
        }
        return false
    }

    /// What the step would touch there.
    private func footprint(of later: Int, where touch: Touch) -> Footprint {
        let step = trail.steps[later]
        var footprint = Footprint(trail, step)
        guard footprint.count == 1, step.status == .announced else { return footprint }
        switch step.kind {
        case .tryLock, .lockUntil:
            let isAgain = touch.owner == Int32(step.thread) + 1 && touch.value == 1
            footprint.first.isWrite = touch.owner == 0 || isAgain
        case .semaphoreTryWait, .semaphoreWaitUntil: footprint.first.isWrite = touch.value > 0
        case .signal, .broadcast: footprint.first.isWrite = touch.count > 0
        case .compareExchange: footprint.first.isWrite = touch.value == step.a
        default: break
        }
        return footprint
    }

    // MARK: - What the others would have done

    /// An execution that was cut off, by an error, the process's exit, or a circle of threads, says nothing of what the others would have
    /// done next. So each of them is to be tried in the place of the last step.
    mutating func holdBackTheEnd() {
        let depth = trail.steps.count - 1
        guard depth >= firstNew, trail.steps[depth].thread != Step.nobody else { return }
        let node = nodes[depth]
        var others = node.enabled & ~node.sleeping & ~(1 << UInt64(trail.steps[depth].thread))
        var branch = node.tree
        while branch >= 0 {
            others &= ~(1 << UInt64(trees[branch].thread))
            branch = trees[branch].sibling
        }
        while others != 0 {
            let thread = UInt16(others.trailingZeroBitCount)
            others &= others - 1
            append(trees.make(Footprint.unknown.branch(thread, way: -1)), toTreeAt: depth)
        }
    }
}
