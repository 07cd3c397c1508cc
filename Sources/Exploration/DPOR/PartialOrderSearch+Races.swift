import Machine

/// After an execution: which of its dependent steps could have come in the other order, and what is to be tried for that.
///
/// Steps i and j of different threads *race* if they are dependent, nothing else puts i before j, and j could have been taken where i
/// was, with what does not come after i done before. Then at i's node the search has to try: the steps that do not happen after i,
/// and then j.
extension PartialOrderSearch.Memory {
    mutating func findRaces(_ form: PartialOrderSearch.Form) {
        for step in firstNew..<max(firstNew, trail.steps.count) where trail.steps[step].thread != Step.nobody {
            if trail.steps[step].touchesWorld {
                findRacesWithExit(step, form)
                continue
            }
            if trail.steps[step].endsRun { findRacesWithEnd(step, form) }
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
        insert(at: Int(first.step), last: later, footprint(of: later, ruling(later, at: Int(first.step), first)), form)
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

    /// A step that ends the run keeps the others from all that they would have done. So each thread's last step, unless it touched nothing, or was
    /// needed for the run to end so, could have come after it, and would then not have come.
    private mutating func findRacesWithEnd(_ end: Int, _ form: PartialOrderSearch.Form) {
        var seen: UInt64 = 1 << UInt64(trail.steps[end].thread)
        for earlier in stride(from: end - 1, through: 0, by: -1) {
            let thread = trail.steps[earlier].thread
            guard thread != Step.nobody, seen & 1 << UInt64(thread) == 0 else { continue }
            if trail.steps[earlier].touchCount == 0 { continue }
            seen |= 1 << UInt64(thread)
            if trail.isNeeded(earlier) || trail.isFollowed(earlier, before: end) { continue }
            collectSequence(notAfter: earlier, upTo: trail.steps.count)
            insert(at: earlier, last: end, Footprint(Access(Access.end, isWrite: true)), form)
        }
    }

    /// Sees to it that the later step is tried before the earlier one. False if it could not have been taken there.
    private mutating func reverse(
        _ earlier: Int, _ later: Int, _ touch: Touch, _ form: PartialOrderSearch.Form
    ) -> Bool {
        collectSequence(notAfter: earlier, upTo: form == .optimal ? trail.steps.count : later)
        let ruling = ruling(later, at: earlier, touch)
        if ruling.isBlocked {
            // A detach can open a cycle of joins: what comes without it, up to there, is to be tried before it.
            if trail.steps[earlier].kind == .detach { insertSequence(at: earlier, form) }
            return false
        }
        insert(at: earlier, last: later, footprint(of: later, ruling), form)
        return true
    }

    private mutating func insertSequence(at depth: Int, _ form: PartialOrderSearch.Form) {
        guard sequence.count > 0 else { return }
        let last = Int(sequence[sequence.count - 1])
        sequence.cut(to: sequence.count - 1)
        insert(at: depth, last: last, Footprint(trail, trail.steps[last]), form)
    }

    // MARK: - What could be taken there

    /// The steps after this one that do not happen after it.
    private mutating func collectSequence(notAfter earlier: Int, upTo end: Int) {
        sequence.cut(to: 0)
        for step in earlier + 1..<max(earlier + 1, end) where !trail.isBefore(earlier, step) {
            if trail.steps[step].thread == Step.nobody { continue }
            // Without a step that was needed for it, it is one like others.
            if trail.steps[step].endsRun && !trail.isNeeded(earlier) { continue }
            sequence.append(Int32(truncatingIfNeeded: step))
        }
    }

    /// The ruling on the step at an earlier one's node, after the sequence. The touch says what the thing was then, on which both
    /// depend.
    private func ruling(_ later: Int, at earlier: Int, _ touch: Touch) -> Ruling {
        let step = trail.steps[later]
        var then = PastCircumstances(
            number: UInt32(max(0, touch.access.thing)), words: touch.words, time: trail.steps[earlier].time,
            mayTimeOut: mayTimeOut, mayWakeSpuriously: step.isSpurious)
        then.letsReadersIn = touch.letsReadersIn
        if step.isWriteLock || step.status == .queued { then.words.count = readersLeft(touch) }
        if step.kind.isOnThread { addThread(of: later, at: earlier, touch, to: &then) }
        if step.kind.isLook && step.b == Operation.Watch.again { then.isStirred = isStirred(later, at: earlier) }
        return Rule.ruling(step.operation, step.status, of: Int(step.thread), then: then)
    }

    /// What a join or detach would have found there.
    private func addThread(of later: Int, at earlier: Int, _ touch: Touch, to then: inout PastCircumstances) {
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

    /// How many readers are left when the sequence has been taken.
    private func readersLeft(_ touch: Touch) -> Int32 {
        var readers = touch.count
        for index in 0..<sequence.count {
            let step = trail.steps[Int(sequence[index])]
            guard step.object == UInt32(touch.access.thing) else { continue }
            switch step.kind {
            case .readLock, .readLockUntil, .tryReadLock: readers += gotIn(Int(sequence[index])) ? 1 : 0
            case .unlockShared: readers -= 1
            default: break
            }
        }
        return readers
    }

    private func gotIn(_ step: Int) -> Bool { trail.touches[Int(trail.steps[step].firstTouch)].letsReadersIn }

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
    private func footprint(of later: Int, _ ruling: Ruling) -> Footprint {
        let step = trail.steps[later]
        var footprint = Footprint(trail, step)
        guard step.status == .announced, footprint.first.thing == Int32(truncatingIfNeeded: step.object) else {
            return footprint
        }
        // A time limit that passes touches the clock too: it is not worked out what it would have touched instead.
        if footprint.count > 1 && footprint.second.thing == Access.clock { return .unknown }
        if footprint.count == 1 {
            switch ruling.act.reach {
            case .readsObject: footprint.first.isWrite = false
            case .writesObject: footprint.first.isWrite = true
            default: break
            }
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
