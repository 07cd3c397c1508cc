import Machine

/// The steps still to be tried at the nodes of a search: a tree for each node, whose branches are tried in the order of
/// insertion (the wakeup trees of Abdulla, Aronis, Jonsson and Sagonas, POPL 2014). All trees share one memory, to
/// which finished trees return theirs.
struct WakeupTrees: ~Copyable {
    /// One step to take.
    struct Branch: BitwiseCopyable {
        var thread: UInt16
        /// The alternative that the step takes; −1: each.
        var way: Int32
        /// The step's footprint at the node, if it has at most two accesses.
        var first: Access
        var second: Access
        /// The number of things that the step touches. A step with more than two is treated as dependent on every step.
        var accessCount: UInt8
        /// Whether further sequences that begin with the step are still to be added below it: see `insert`.
        var isOpen = false
        /// The first branch after this step, and the next alternative to this step; −1: none.
        var child: Int32 = -1
        var sibling: Int32 = -1
    }

    private(set) var branches = Pile<Branch>(capacity: 256)
    private var firstFree: Int32 = -1

    subscript(_ branch: Int32) -> Branch {
        @inline(__always) get { branches[Int(branch)] }
    }

    /// Makes a branch that belongs to no tree yet.
    mutating func make(_ branch: Branch) -> Int32 {
        if firstFree >= 0 {
            let index = firstFree
            firstFree = branches[Int(index)].sibling
            branches[Int(index)] = branch
            return index
        }
        branches.append(branch)
        return Int32(truncatingIfNeeded: branches.count - 1)
    }

    func setChild(_ branch: Int32, _ child: Int32) { branches.base[Int(branch)].child = child }
    func setSibling(_ branch: Int32, _ sibling: Int32) { branches.base[Int(branch)].sibling = sibling }

    /// Frees only this branch. Its children then belong to the caller.
    mutating func free(_ branch: Int32) {
        branches.base[Int(branch)].sibling = firstFree
        firstFree = branch
    }

    /// Frees a branch, its siblings, and everything below them. Not recursive: a branch can be as long as an execution.
    mutating func freeAll(_ branch: Int32) {
        var next = branch
        while next >= 0 {
            let this = next
            next = self[this].sibling
            let child = self[this].child
            if child >= 0 {
                // The remaining siblings are appended to the children.
                var last = child
                while self[last].sibling >= 0 { last = self[last].sibling }
                setSibling(last, next)
                next = child
            }
            free(this)
        }
    }
}
