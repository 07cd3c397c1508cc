import Machine

/// What a partial-order search has still to try: for each node of the execution a tree of steps, in which each path
/// from the root is a sequence of steps to take from that node on (the wakeup trees of Abdulla, Aronis, Jonsson and
/// Sagonas, POPL 2014). Branches are tried in the order of insertion.
///
/// The branches of all trees are in one array. A node holds the index of its tree's first branch.
struct WakeupTrees: ~Copyable {
    /// A step to take, and the tree of what follows it.
    struct Branch: BitwiseCopyable {
        var thread: UInt16
        /// The alternative with which the step is to be tried; −1: all of them.
        var way: Int32
        /// The first two accesses of the step's footprint (`Footprint`).
        var first: Access
        var second: Access
        /// The number of things that the step touches: 0, 1, 2, or 3 for any greater number. A step that touches more
        /// than two things is treated as dependent on every step.
        var accessCount: UInt8
        /// Whether the step may be its thread's last, on which joins of the thread depend. That is known of a step that
        /// comes after the same steps as in the execution from which it was taken; of others it is a guess.
        var isLast = false
        /// Whether sequences may still have to be added below the step, even if it has no children: see
        /// `PartialOrderSearch.Memory.insert`.
        var isOpen = false
        /// Whether a thread leaves a wait without a signal, which it need not do.
        var isOptional = false
        /// `child`: the first of the branches that can follow this step. `sibling`: the next branch to try in place of
        /// this one. −1: none.
        var child: Int32 = -1
        var sibling: Int32 = -1
    }

    private(set) var branches = Pile<Branch>(capacity: 256)
    /// The first branch that is free to be reused; the others follow as its siblings. −1: none.
    private var firstFree: Int32 = -1

    subscript(_ branch: Int32) -> Branch {
        @inline(__always) get { branches[Int(branch)] }
    }

    /// Stores a branch, which belongs to no tree yet, and returns its index.
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

    /// Frees a branch, all its later siblings, and everything below them. Uses no recursion, because a tree can be as
    /// deep as an execution is long.
    mutating func freeAll(_ branch: Int32) {
        var next = branch
        while next >= 0 {
            let this = next
            next = self[this].sibling
            let child = self[this].child
            if child >= 0 {
                // The remaining siblings are appended to the children, to be freed after them.
                var last = child
                while self[last].sibling >= 0 { last = self[last].sibling }
                setSibling(last, next)
                next = child
            }
            free(this)
        }
    }
}
