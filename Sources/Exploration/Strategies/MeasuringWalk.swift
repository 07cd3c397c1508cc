import Machine

/// A random walk that counts each thread's steps, and those on each object.
final class MeasuringWalk: Chooser {
    private let walk: RandomWalk
    private let footprint = StepFootprint()
    /// The tree of the profile so far, with the threads that were started now for the first time.
    private(set) var tree: ThreadTree
    /// By thread: its node in the tree, the number of its steps, and the number of threads it has started.
    private(set) var nodes: [Int] = []
    private(set) var steps: [Int] = []
    private var childCounts: [Int] = []
    private(set) var uses: [UInt32: ObjectUse] = [:]

    init(seed: UInt64, _ tree: ThreadTree) {
        walk = RandomWalk(seed: seed)
        self.tree = tree
    }

    deinit { footprint.deallocate() }

    func begin() {}

    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        while nodes.count < state.threadCount { addThread(startedBy: ThreadTree.starter(last, known: nodes.count)) }
        guard let thread = walk.chooseThread(enabled, last: last, state: state) else { return nil }
        count(Int(thread), state)
        return thread
    }

    private func addThread(startedBy parent: Int) {
        defer {
            steps.append(0)
            childCounts.append(0)
        }
        guard !nodes.isEmpty else { return nodes.append(ThreadTree.main) }
        let node = nodes[parent]
        nodes.append(tree.child(childCounts[parent], of: node) ?? tree.addChild(of: node))
        childCounts[parent] += 1
    }

    private func count(_ thread: Int, _ state: MachineState) {
        steps[thread] += 1
        footprint.fill(with: thread, state)
        for access in footprint.accesses where access.thing > 0 {
            let object = UInt32(access.thing)
            uses[object, default: ObjectUse()].steps[nodes[thread], default: 0] += 1
            if access.isWrite { uses[object]!.isWritten = true }
        }
    }

    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        walk.chooseAlternative(count, of: thread, state: state)
    }
}
