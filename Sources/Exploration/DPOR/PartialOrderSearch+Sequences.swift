import Machine

/// Whether a sequence of steps is to be tried at a node, or is covered by what has been tried or is to be.
extension PartialOrderSearch.Memory {
    /// Sees to it that the present sequence, with the last step after it, is tried at the node.
    mutating func insert(at depth: Int, last: Int, _ footprint: Footprint, _ form: PartialOrderSearch.Form) {
        noteFirsts(of: last)
        let node = nodes[depth]
        if isCovered(node, last, footprint, form) { return }
        if form == .source { return insertOne(at: depth, last, footprint) }
        // −2: the node's tree itself.
        var parent: Int32 = -2
        var isLastIn = true
        while true {
            var branch = parent == -2 ? nodes[depth].tree : trees[parent].child
            while branch >= 0 && !canBegin(with: trees[branch], last, footprint, isLastIn) {
                branch = trees[branch].sibling
            }
            if branch < 0 { break }
            // A branch with nothing after it: all that begins so will be tried.
            if trees[branch].child < 0 { return }
            let thread = trees[branch].thread
            if let position = position(of: thread) {
                remove(position)
            } else if isLastIn && trail.steps[last].thread == thread {
                isLastIn = false
            }
            if sequence.count == 0 && !isLastIn { return }
            noteFirsts(of: last)
            parent = branch
        }
        append(chain(last, footprint, isLastIn), below: parent, at: depth)
    }

    /// One step that the sequence can begin with, unless such a one is tried already.
    private mutating func insertOne(at depth: Int, _ last: Int, _ footprint: Footprint) {
        var branch = nodes[depth].tree
        while branch >= 0 {
            let isInSequence =
                firsts[Int(trees[branch].thread)] != .max || trees[branch].thread == trail.steps[last].thread
            if isInSequence && canBegin(with: trees[branch], last, footprint, true) { return }
            branch = trees[branch].sibling
        }
        if sequence.count > 0 {
            let step = trail.steps[Int(sequence[0])]
            append(trees.make(Footprint(trail, step).branch(step.thread, way: -1)), toTreeAt: depth)
        } else {
            append(trees.make(footprint.branch(trail.steps[last].thread, way: -1)), toTreeAt: depth)
        }
    }

    // MARK: - Trees

    mutating func append(_ branch: Int32, toTreeAt depth: Int) { append(branch, below: -2, at: depth) }

    private mutating func append(_ branch: Int32, below parent: Int32, at depth: Int) {
        let first = parent == -2 ? nodes[depth].tree : trees[parent].child
        if first < 0 {
            if parent == -2 { nodes.base[depth].tree = branch } else { trees.setChild(parent, branch) }
            return
        }
        var last = first
        while trees[last].sibling >= 0 { last = trees[last].sibling }
        trees.setSibling(last, branch)
    }

    /// The sequence as a branch with one child after the other.
    private mutating func chain(_ last: Int, _ footprint: Footprint, _ isLastIn: Bool) -> Int32 {
        var child: Int32 = -1
        if isLastIn { child = trees.make(footprint.branch(trail.steps[last].thread, way: -1)) }
        for index in stride(from: sequence.count - 1, through: 0, by: -1) {
            let step = trail.steps[Int(sequence[index])]
            var branch = Footprint(trail, step).branch(step.thread, way: step.ways > 1 ? step.way : -1)
            branch.child = child
            child = trees.make(branch)
        }
        return child
    }

    // MARK: - What a sequence can begin with

    /// By thread, where its first step in the sequence is.
    private mutating func noteFirsts(of last: Int) {
        firsts.cut(to: 0)
        firsts.fill(to: trail.width, with: Int32.max)
        for index in stride(from: sequence.count - 1, through: 0, by: -1) {
            firsts[Int(trail.steps[Int(sequence[index])].thread)] = sequence[index]
        }
    }

    private func position(of thread: UInt16) -> Int? {
        let step = firsts[Int(thread)]
        if step == .max { return nil }
        return (0..<sequence.count).first { sequence[$0] == step }
    }

    private mutating func remove(_ position: Int) {
        for index in position..<sequence.count - 1 { sequence[index] = sequence[index + 1] }
        sequence.cut(to: sequence.count - 1)
    }

    /// Whether the step, a thread's first in the sequence, comes after none of the others'.
    private func isInitial(_ step: Int32) -> Bool {
        let clock = trail.after(Int(step))
        for thread in 0..<trail.width where firsts[thread] < step && clock[thread] > firsts[thread] { return false }
        return true
    }

    /// Whether the last step comes after none of the sequence's.
    private func isInitial(last: Int, _ footprint: Footprint) -> Bool {
        let clock = trail.before(last)
        for thread in 0..<trail.width where firsts[thread] != .max && clock[thread] > firsts[thread] { return false }
        return !dependsOnSequence(footprint.branch(trail.steps[last].thread, way: -1))
    }

    /// Whether the branch's step depends on one of the sequence's.
    private func dependsOnSequence(_ branch: WakeupTrees.Branch) -> Bool {
        (0..<sequence.count).contains { depends(branch, on: trail.steps[Int(sequence[$0])]) }
    }

    private func depends(_ branch: WakeupTrees.Branch, on step: Step) -> Bool {
        if branch.accessCount > 2 || step.touchesWorld { return true }
        for touch in Int(step.firstTouch)..<Int(step.firstTouch + step.touchCount) {
            let access = trail.touches[touch].access
            if branch.conflicts(with: access) || access.thing == Access.thread(Int(branch.thread)) { return true }
        }
        return false
    }

    /// Whether what the sequence leads to can also be come to with the branch's step first.
    private func canBegin(
        with branch: WakeupTrees.Branch, _ last: Int, _ footprint: Footprint, _ isLastIn: Bool
    ) -> Bool {
        let first = firsts[Int(branch.thread)]
        if first != .max {
            let step = trail.steps[Int(first)]
            if branch.way >= 0 && step.ways > 1 && step.way != branch.way { return false }
            return isInitial(first)
        }
        if isLastIn && trail.steps[last].thread == branch.thread { return isInitial(last: last, footprint) }
        if dependsOnSequence(branch) { return false }
        return !isLastIn || !isConflict(branch, footprint)
    }

    private func isConflict(_ branch: WakeupTrees.Branch, _ footprint: Footprint) -> Bool {
        if branch.accessCount > 2 || footprint.count > 2 { return true }
        if footprint.count == 0 { return branch.accessCount > 0 && branch.first.thing == Access.world }
        return branch.conflicts(with: footprint.first)
            || (footprint.count > 1 && branch.conflicts(with: footprint.second))
            || footprint.first.thing == Access.thread(Int(branch.thread))
    }

    /// Whether a step that has been tried at the node can begin it.
    private func isCovered(
        _ node: Node, _ last: Int, _ footprint: Footprint, _ form: PartialOrderSearch.Form
    ) -> Bool {
        var left = node.sleeping | node.drowsy
        while left != 0 {
            let thread = left.trailingZeroBitCount
            left &= left - 1
            let isDrowsy = node.sleeping & 1 << UInt64(thread) == 0
            let first = firsts[thread]
            if first != .max {
                let step = trail.steps[Int(first)]
                if isDrowsy && (step.ways == 1 || triedWays(node, thread) & 1 << UInt64(step.way) == 0) { continue }
                if isInitial(first) { return true }
            } else if isDrowsy {
                continue
            } else if Int(trail.steps[last].thread) == thread {
                if isInitial(last: last, footprint) { return true }
            } else if form == .optimal && isIndependent(sleeper: thread, node, footprint) {
                return true
            }
        }
        return false
    }

    private func isIndependent(sleeper thread: Int, _ node: Node, _ footprint: Footprint) -> Bool {
        var accesses = 0
        var branch = WakeupTrees.Branch(
            thread: UInt16(thread), way: -1, first: Access(0, isWrite: false), second: Access(0, isWrite: false),
            accessCount: 0)
        for index in Int(node.firstSleeper)..<Int(node.endOfSleepers) where Int(sleepers[index].thread) == thread {
            let sleeper = sleepers[index]
            if sleeper.thing == 0 { continue }
            if accesses == 0 { branch.first = Access(sleeper.thing, isWrite: sleeper.isWrite) }
            if accesses == 1 { branch.second = Access(sleeper.thing, isWrite: sleeper.isWrite) }
            accesses += 1
        }
        branch.accessCount = UInt8(min(3, accesses))
        return !dependsOnSequence(branch) && !isConflict(branch, footprint)
    }
}
