import Machine

/// Decides whether a sequence of steps has to be tried at a node, or is covered by what has been tried or is scheduled
/// there, and adds it to the node's tree.
///
/// The sequence is `sequence`, followed by one more step, the *last* one: the step whose race with the node's step is
/// being reversed. `isLastIn` says whether that step is still part of the sequence.
extension PartialOrderSearch.Memory {
    /// Ensures that the collected sequence, followed by the last step, is tried at the node.
    ///
    /// - Parameters:
    ///   - depth: the node's depth.
    ///   - last: the number of the last step in the trail.
    ///   - footprint: what the last step would touch after the sequence.
    ///   - isOpen: whether further sequences that begin with this one may have to be added later, because the
    ///     executions that begin with it will not show all of them, such as those in which a wait ends without a
    ///     signal.
    mutating func insert(at depth: Int, last: Int, _ footprint: Footprint, isOpen: Bool = false) {
        if isCovered(depth, last, footprint) { return }
        var parent = Self.root
        var isLastIn = true
        while true {
            var branch = parent == Self.root ? nodes[depth].tree : trees[parent].child
            while branch >= 0
                && (isNotNeeded(trees[branch], last)
                    || !canBegin(with: trees[branch], last, footprint, isLastIn))
            {
                branch = trees[branch].sibling
            }
            if branch < 0 { break }
            // A branch without children covers the sequence: every execution that begins with it will be tried.
            if trees[branch].child < 0 && !trees[branch].isOpen { return }
            let thread = trees[branch].thread
            if sequence.first(of: Int(thread)) != StepSequence.none {
                sequence.removeFirst(of: thread)
            } else if isLastIn && trail.steps[last].thread == thread {
                isLastIn = false
            }
            if sequence.count == 0 && !isLastIn { return }
            parent = branch
        }
        append(chain(last, footprint, isLastIn, isOpen), below: parent, at: depth)
    }

    /// Whether the branch's step leaves a wait without a signal, and the sequence does not need that. What begins with
    /// such a step shows no execution in which the wait does not end.
    private mutating func isNotNeeded(_ branch: WakeupTrees.Branch, _ last: Int) -> Bool {
        branch.isOptional && trail.steps[last].thread != branch.thread
            && sequence.first(of: Int(branch.thread)) == StepSequence.none
    }

    // MARK: - Trees

    /// The root of a node's tree, where the index of a branch is expected.
    @inline(__always) private static var root: Int32 { -2 }

    mutating func append(_ branch: Int32, toTreeAt depth: Int) { append(branch, below: Self.root, at: depth) }

    private mutating func append(_ branch: Int32, below parent: Int32, at depth: Int) {
        let first = parent == Self.root ? nodes[depth].tree : trees[parent].child
        if first < 0 {
            if parent == Self.root { nodes.base[depth].tree = branch } else { trees.setChild(parent, branch) }
            return
        }
        var last = first
        while trees[last].sibling >= 0 { last = trees[last].sibling }
        trees.setSibling(last, branch)
    }

    /// Makes a branch for the rest of the sequence: a chain, in which each step has one child.
    private mutating func chain(_ last: Int, _ footprint: Footprint, _ isLastIn: Bool, _ isOpen: Bool) -> Int32 {
        var child: Int32 = -1
        if isLastIn {
            var branch = footprint.branch(trail.steps[last].thread, way: -1)
            branch.isLast = mayEndThread(last)
            branch.isOpen = isOpen
            branch.isOptional = trail.steps[last].isSpurious
            child = trees.make(branch)
        }
        for number in sequence.all.reversed() {
            let step = trail.steps[Int(number)]
            guard sequence.contains(number, of: step.thread) else { continue }
            var branch = Footprint(trail, step).branch(step.thread, way: step.ways > 1 ? step.way : -1)
            branch.child = child
            branch.isLast = step.isLast
            branch.isOptional = step.isSpurious
            child = trees.make(branch)
        }
        return child
    }

    /// Whether the last step may be its thread's last: a guess, since it has been taken in another order.
    private func mayEndThread(_ last: Int) -> Bool { trail.steps[last].isLast || trail.steps[last].ways > 1 }

    // MARK: - How a sequence can begin

    /// Whether no other step of the sequence happens before this one, which is its thread's first in the sequence.
    @inline(__always) private func isInitial(_ step: Int32) -> Bool {
        let clock = trail.after(Int(step))
        let firsts = sequence.firsts.base
        for thread in 0..<trail.width where firsts[thread] < step && clock[thread] > firsts[thread] { return false }
        return true
    }

    /// Whether no step of the sequence happens before the last step.
    private mutating func isInitial(last: Int, _ footprint: Footprint) -> Bool {
        let clock = trail.before(last)
        let firsts = sequence.firsts.base
        for thread in 0..<trail.width where firsts[thread] != StepSequence.none && clock[thread] > firsts[thread] {
            return false
        }
        // What the step would do here, and whether its thread would end with it, is not known from the execution in
        // which it came later.
        var branch = footprint.branch(trail.steps[last].thread, way: -1)
        branch.isLast = true
        return !dependsOnSequence(branch)
    }

    /// Whether the branch's step depends on a step of the sequence. Goes through the touches of the things concerned,
    /// not through the steps, of which there can be very many.
    private mutating func dependsOnSequence(_ branch: WakeupTrees.Branch) -> Bool {
        if sequence.count == 0 { return false }
        if branch.accessCount > 2 { return true }
        if branch.isLast && isTouched(Access(Access.thread(Int(branch.thread)), isWrite: true)) { return true }
        if branch.accessCount == 0 { return false }
        return isTouched(branch.first) || (branch.accessCount > 1 && isTouched(branch.second))
    }

    /// Whether a step of the sequence depends on the access.
    private mutating func isTouched(_ access: Access) -> Bool {
        if access.thing == Access.world || access.thing == Access.end {
            return sequence.all.contains {
                let step = trail.steps[Int($0)]
                return step.touchCount > 0 && sequence.contains($0, of: step.thread)
            }
        }
        guard let begin = sequence.all.first else { return false }
        var index = trail.head(of: access.thing)
        while index >= 0 {
            let touch = trail.touches[Int(index)]
            if touch.step < begin { return false }
            if touch.access.isWrite || access.isWrite,
                sequence.contains(touch.step, of: trail.steps[Int(touch.step)].thread)
            {
                return true
            }
            index = access.isWrite ? touch.previous : touch.lastWrite
        }
        return false
    }

    /// Whether the sequence can be taken, with the same effect, after the branch's step: the step is part of the
    /// sequence and can be moved to its beginning, or is independent of all steps of the sequence.
    private mutating func canBegin(
        with branch: WakeupTrees.Branch, _ last: Int, _ footprint: Footprint, _ isLastIn: Bool
    ) -> Bool {
        let first = sequence.first(of: Int(branch.thread))
        if first != StepSequence.none {
            let step = trail.steps[Int(first)]
            if branch.way >= 0 && step.ways > 1 && step.way != branch.way { return false }
            return isInitial(first)
        }
        if isLastIn && trail.steps[last].thread == branch.thread {
            // All alternatives of the last step are to be tried.
            return (branch.way < 0 || trail.steps[last].ways == 1) && isInitial(last: last, footprint)
        }
        if dependsOnSequence(branch) { return false }
        return !isLastIn || !isConflict(branch, last, footprint)
    }

    /// Whether the branch's step depends on the last step.
    private func isConflict(_ branch: WakeupTrees.Branch, _ last: Int, _ footprint: Footprint) -> Bool {
        let life = Access(Access.thread(Int(trail.steps[last].thread)), isWrite: true)
        if mayEndThread(last) && branch.conflicts(with: life) { return true }
        if branch.accessCount > 2 || footprint.count > 2 { return true }
        if footprint.count == 0 { return branch.accessCount > 0 && branch.first.thing == Access.world }
        return branch.conflicts(with: footprint.first)
            || (footprint.count > 1 && branch.conflicts(with: footprint.second))
            || (branch.isLast && footprint.touches(Access.thread(Int(branch.thread))))
    }

    /// Whether the sequence can begin with a step that has been tried at the node.
    private mutating func isCovered(
        _ depth: Int, _ last: Int, _ footprint: Footprint
    ) -> Bool {
        for index in 0..<threads.rowLength {
            let element = threads[depth][index]
            var left = element.sleeping | element.drowsy
            while left != 0 {
                let thread = index << 6 + left.trailingZeroBitCount
                left &= left - 1
                if isCovered(by: thread, depth, last, footprint) { return true }
            }
        }
        return false
    }

    /// Whether the sequence can begin with the step of this thread, which is asleep or drowsy at the node.
    @inline(__always) private mutating func isCovered(
        by thread: Int, _ depth: Int, _ last: Int, _ footprint: Footprint
    ) -> Bool {
        let isDrowsy = !threads.isSleeping(thread, at: depth)
        let first = sequence.first(of: thread)
        if first != StepSequence.none {
            let step = trail.steps[Int(first)]
            if isDrowsy && (step.ways == 1 || triedWays(nodes[depth], thread) & 1 << UInt64(step.way) == 0) {
                return false
            }
            return isInitial(first) && !endsRunThere(thread, nodes[depth])
        }
        if isDrowsy { return false }
        if Int(trail.steps[last].thread) == thread {
            return isInitial(last: last, footprint) && !endsRunThere(thread, nodes[depth])
        }
        // As in `isNotNeeded`.
        return !threads.isSpurious(thread, at: depth)
            && isIndependent(sleeper: thread, nodes[depth], last, footprint)
    }

    /// Whether the sleeping thread's step ends the run at the node, and so prevents steps of other threads in the
    /// sequence.
    private func endsRunThere(_ thread: Int, _ node: Node) -> Bool {
        if !hasClosedCycles { return false }
        let ends = (Int(node.firstSleeper)..<Int(node.endOfSleepers)).contains {
            Int(sleepers[$0].thread) == thread && sleepers[$0].thing == Access.end
        }
        return ends
            && sequence.all.contains {
                let step = trail.steps[Int($0)]
                return step.touchCount > 0 && Int(step.thread) != thread && sequence.contains($0, of: step.thread)
            }
    }

    /// Whether the sleeping thread's step depends on no step of the sequence, nor on the last step, and so could come
    /// first. False if that is uncertain.
    private mutating func isIndependent(sleeper thread: Int, _ node: Node, _ last: Int, _ footprint: Footprint) -> Bool
    {
        var accesses = 0
        var branch = WakeupTrees.Branch(
            thread: UInt16(thread), way: -1, first: Access(0, isWrite: false), second: Access(0, isWrite: false),
            accessCount: 0)
        for index in Int(node.firstSleeper)..<Int(node.endOfSleepers) where Int(sleepers[index].thread) == thread {
            let sleeper = sleepers[index]
            // The step touches nothing.
            if sleeper.thing == 0 { continue }
            // The sleeping thread's step might close a cycle of waiting threads if it came first, and so end the run.
            if sleeper.thing == Access.cycle {
                if sequence.count == 0 { continue }
                return false
            }
            if accesses == 0 { branch.first = Access(sleeper.thing, isWrite: sleeper.isWrite) }
            if accesses == 1 { branch.second = Access(sleeper.thing, isWrite: sleeper.isWrite) }
            accesses += 1
        }
        branch.accessCount = UInt8(min(accesses, Footprint.many))
        // If the step was its thread's last, that is among its accesses already.
        return !dependsOnSequence(branch) && !isConflict(branch, last, footprint)
    }
}
