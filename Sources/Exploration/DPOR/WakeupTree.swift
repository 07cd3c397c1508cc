import Machine

/// What is still to be tried at the nodes of a search: for each node a tree of steps, tried in the order of insertion
/// (the wakeup trees of Abdulla, Aronis, Jonsson and Sagonas, POPL 2014). All trees share one memory, which finished
/// trees return to it.
struct WakeupTrees: ~Copyable {
    /// One step to take.
    struct Branch: BitwiseCopyable {
        var thread: UInt16
        /// Which alternative it takes, or −1: each.
        var way: Int32
        /// The step's footprint there, if it fits.
        var first: Access
        var second: Access
        /// The number of things it touches. If more than two, it is treated as dependent on every step.
        var accessCount: UInt8
        /// Whether what follows it is open, so that whatever else begins with it is still to be added below it.
        var isOpen = false
        /// What to take after it, and instead of it; −1: nothing.
        var child: Int32 = -1
        var sibling: Int32 = -1
    }

    private(set) var branches = Pile<Branch>(capacity: 256)
    private var firstFree: Int32 = -1

    subscript(_ branch: Int32) -> Branch {
        @inline(__always) get { branches[Int(branch)] }
    }

    /// A separate branch.
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

    /// Frees only this branch: its children belong to the caller.
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
                // The remaining siblings come after the children.
                var last = child
                while self[last].sibling >= 0 { last = self[last].sibling }
                setSibling(last, next)
                next = child
            }
            free(this)
        }
    }
}
