import Machine

/// Executions that end although threads could continue: at an error, the exit of the process, or a cycle of waiting
/// threads. The end prevents what the other threads would have done, so the step that ends the run depends on every
/// step, and the search tries it before and after the steps of the other threads.
extension PartialOrderSearch.Memory {
    // MARK: - What ended the run

    /// Records which step put the thread into the cycle of waiting threads that has ended the run.
    mutating func noteCloser(_ thread: Int, _ state: MachineState) {
        hasClosedCycles = true
        let closer = trail.endRun(becauseOf: thread, isWoken: state.isWaking(thread))
        if closer >= 0 { closers.append(Int32(truncatingIfNeeded: closer)) }
    }

    /// Finds the races of the step that ends the run. It prevents all further steps of the other threads, so it might
    /// have come before the last step of each of them.
    ///
    /// - Parameter isExit: whether the process has exited, which cuts off threads wherever they are. Otherwise the step
    ///   ended the run because of what it found, and cannot come before the steps that led to that.
    mutating func findRacesWithEnd(_ end: Int, isExit: Bool) {
        seen.removeAll()
        seen.insert(trail.steps[end].thread)
        var left = trail.steppingThreads - 1
        var earlier = end
        while earlier > 0 && left > 0 {
            earlier -= 1
            let thread = trail.steps[earlier].thread
            guard thread != TakenStep.noThread, !seen.contains(thread) else { continue }
            // An early end does not depend on a step that touches nothing. The exit depends on all steps but a read
            // after which an `await` continues to wait.
            if isExit ? trail.steps[earlier].failsAwait : trail.steps[earlier].touchCount == 0 { continue }
            seen.insert(thread)
            left -= 1
            let isOrdered =
                isExit
                ? trail.isSeen(earlier, by: end) : trail.isNeeded(earlier) || trail.isFollowed(earlier, before: end)
            if isOrdered { continue }
            sequenceEnd = trail.steps.count
            forcedLeaves.leaveOut(after: earlier, for: end, trail)
            collectSequence(notAfter: earlier)
            let footprint =
                isExit ? Footprint(Access(Access.world, isWrite: true)) : Footprint(endOf: trail, trail.steps[end])
            insert(at: earlier, last: end, footprint)
        }
    }

    // MARK: - What other threads would have done

    /// Finds the races of the steps that threads would take next if the execution had not ended.
    mutating func findRacesOfPending(_ state: MachineState) {
        for thread in 0..<state.threadCount {
            let isEnabled = isCutOff && state.isEnabled(thread)
            guard isEnabled || state.isBlocked(thread) || state.failsAwait(thread) else { continue }
            trail.append(thread, state)
            let number = trail.steps.count - 1
            if !watch.isEmpty {
                watch.forget(from: number)
                watch.note(number, of: thread, state)
            }
            let first = Int(trail.steps[number].firstTouch)
            for touch in first..<first + Int(trail.steps[number].touchCount) { findRaces(of: number, touch) }
            if isEnabled && !state.failsAwait(thread) { putBeforeEnd(number) }
            trail.removeLast()
        }
    }

    /// Schedules the pending step, which its thread could still take, before the run's last step. If the run ended in a
    /// cycle, also schedules it before each earlier step that put a thread into the cycle, so that it can come after
    /// the last one.
    private mutating func putBeforeEnd(_ pending: Int) {
        let last = pending - 1
        if trail.steps[last].thread == TakenStep.noThread { return }
        if trail.steps[pending].touchesWorld || !trail.isBefore(last, pending) {
            put(pending, before: last)
        }
        if trail.steps[pending].touchesWorld { return }
        for index in 0..<closers.count where Int(closers[index]) != last {
            if !trail.isBefore(Int(closers[index]), pending) { put(pending, before: Int(closers[index])) }
        }
    }

    /// Schedules the pending step, and all steps that must precede it, before the step `end`, which ends the run or
    /// inspects all memory.
    private mutating func put(_ pending: Int, before end: Int) {
        let thread = trail.steps[pending].thread
        // No step after `end` can come before it, so the pending step must be possible at that node.
        if end == pending - 1 || trail.steps[end].touchesWorld {
            if !threads.isEnabled(Int(thread), at: end) { return }
            sequenceEnd = end
        } else {
            if !watch.isEmpty && isForbidden(pending, before: end) { return }
            sequenceEnd = pending
        }
        forcedLeaves.leaveOut(after: end, for: pending, trail)
        collectSequence(notAfter: end)
        if trail.steps[pending].touchesWorld {
            return insert(at: end, last: pending, Footprint(trail, trail.steps[pending]))
        }
        // A step that touches nothing is independent of the end.
        if trail.steps[pending].touchCount == 0 && sequence.count == 0 {
            return add(trail.steps[pending], toTreeAt: end)
        }
        sequence.append(Int32(truncatingIfNeeded: pending), of: thread)
        let isInspection = trail.steps[end].touchesWorld
        let footprint =
            isInspection ? Footprint(trail, trail.steps[end]) : Footprint(endOf: trail, trail.steps[end])
        insert(at: end, last: end, footprint)
    }

    /// Schedules the step, which touches nothing, unless it has been tried at the node or is scheduled there.
    ///
    /// - Parameter depth: the node's.
    private mutating func add(_ step: TakenStep, toTreeAt depth: Int) {
        let thread = Int(step.thread)
        let way = step.ways > 1 ? step.way : -1
        if threads.isSleeping(thread, at: depth) { return }
        if way >= 0 && threads.isDrowsy(thread, at: depth) && triedWays(nodes[depth], thread) & 1 << UInt64(way) != 0 {
            return
        }
        var branch = nodes[depth].tree
        while branch >= 0 {
            let known = trees[branch]
            if known.thread == step.thread && (known.way < 0 || known.way == way) { return }
            branch = known.sibling
        }
        var added = Footprint(trail, step).branch(step.thread, way: way)
        added.isOpen = true
        append(trees.make(added), toTreeAt: depth)
    }

    /// Schedules, before the step that inspects memory at the end of the process, what each other thread did or could
    /// have done after it: the end of the process would otherwise cut that off.
    mutating func putBefore(inspection: Int, _ state: MachineState) {
        guard inspection >= firstToReverse else { return }
        let pending = trail.steps.count
        for thread in 0..<state.threadCount where thread != Int(trail.steps[inspection].thread) {
            if !threads.isEnabled(thread, at: inspection) || threads.failsAwait(thread, at: inspection) { continue }
            if let other = firstStep(of: thread, after: inspection) {
                put(other, before: inspection)
            } else if state.isEnabled(thread) {
                trail.append(thread, state)
                put(pending, before: inspection)
                trail.removeLast()
            }
        }
    }

    /// The thread's first step after the one at this depth.
    private func firstStep(of thread: Int, after depth: Int) -> Int? {
        var first: Int?
        var step = trail.lastStep(of: thread)
        while step > depth {
            first = step
            step = Int(trail.steps[step].previous)
        }
        return first
    }
}
