import Machine
import Trace

/// The number of steps of a program's threads, in total and on each object: the maximum over several random walks.
///
/// A single walk can show far less than what is possible: it may end early, or a thread may find nothing to do. So the
/// executions 0, 1, 3, 7, 15 … of a strategy are walks that measure, and every other execution uses the earlier walks.
/// The profile depends only on these walks: a strategy that does not start with execution 0 makes them first.
final class Profile {
    /// An object that several threads use and at least one of them changes.
    struct SharedObject {
        var object: UInt32
        /// The number of steps that touch it.
        var steps: Int
        /// By node of the tree: like the profile's `familySteps`, but only steps on the object. Empty until needed.
        var familySteps: [Int] = []
    }

    private let seed: UInt64
    private var walkCount = 0
    private(set) var tree = ThreadTree()
    /// By node of the tree: the number of the steps of its thread.
    private var steps = [0]
    /// By node: the same, including the steps of all its descendants.
    private(set) var familySteps = [0]
    private var uses: [UInt32: ObjectUse] = [:]
    private var shared: [SharedObject] = []
    /// The number of steps on all shared objects.
    private var stepsOnShared = 0
    /// The number of steps of the longest walk.
    private(set) var mostSteps = 0

    /// - Parameter seed: the strategy's seed. The profile derives another one, because a random walk with this seed may
    ///   also be run.
    init(seed: UInt64) { self.seed = SplitMix64.mixed(~seed) }

    // MARK: - Walks

    /// Runs the execution with this number: a walk that measures, or an execution that the strategy decides.
    func execute(_ number: Int, of subject: any Subject, by strategy: any Chooser) -> Verdict {
        // Of the numbers below this one, how many are of the form 2ⁿ − 1.
        let walksBefore = Int.bitWidth - number.leadingZeroBitCount
        if walkCount > walksBefore { forget() }
        while walkCount < walksBefore { _ = walk(subject) }
        let isWalk = number & (number + 1) == 0
        return isWalk ? walk(subject) : subject.execute(strategy)
    }

    private func forget() {
        walkCount = 0
        tree = ThreadTree()
        steps = [0]
        familySteps = [0]
        uses = [:]
        findSharedObjects()
        mostSteps = 0
    }

    private func walk(_ subject: any Subject) -> Verdict {
        let walk = MeasuringWalk(seed: SplitMix64.mixed(seed &+ UInt64(walkCount)), tree)
        let verdict = subject.execute(walk)
        walkCount += 1
        mostSteps = max(mostSteps, walk.steps.reduce(0, +))
        // An execution that was cut off does not show how many steps the threads need.
        if !verdict.isCutOff { add(walk) }
        return verdict
    }

    private func add(_ walk: MeasuringWalk) {
        tree = walk.tree
        steps += [Int](repeating: 0, count: tree.count - steps.count)
        for (node, count) in zip(walk.nodes, walk.steps) { steps[node] = max(steps[node], count) }
        familySteps = tree.sumsOfFamilies(steps)
        uses.merge(walk.uses) { $0.merged(with: $1) }
        findSharedObjects()
    }

    private func findSharedObjects() {
        shared = uses.filter { $0.value.isWritten && $0.value.steps.count > 1 }
            .map { SharedObject(object: $0.key, steps: $0.value.steps.values.reduce(0, +)) }
            .sorted { $0.object < $1.object }
        stepsOnShared = shared.reduce(0) { $0 + $1.steps }
    }

    // MARK: - Results

    /// A random shared object, with a probability proportional to the number of steps that touch it. Nil: no object is
    /// shared.
    func sharedObject(_ generator: inout SplitMix64) -> SharedObject? {
        guard stepsOnShared > 0 else { return nil }
        var rest = generator.next(below: stepsOnShared)
        var place = 0
        while rest >= shared[place].steps {
            rest -= shared[place].steps
            place += 1
        }
        if shared[place].familySteps.isEmpty { shared[place].familySteps = familySteps(on: shared[place].object) }
        return shared[place]
    }

    /// By node of the tree: the number of steps on the object, of its thread and all descendants.
    private func familySteps(on object: UInt32) -> [Int] {
        var own = [Int](repeating: 0, count: tree.count)
        for (node, count) in uses[object]?.steps ?? [:] { own[node] = count }
        return tree.sumsOfFamilies(own)
    }
}

/// How the threads of a program use an object.
struct ObjectUse {
    var isWritten = false
    /// By node of the tree of threads: the number of steps on the object.
    var steps: [Int: Int] = [:]

    func merged(with other: Self) -> Self {
        Self(isWritten: isWritten || other.isWritten, steps: steps.merging(other.steps, uniquingKeysWith: max))
    }
}

/// A random walk that counts each thread's steps, in total and on each object.
final class MeasuringWalk: Chooser {
    private let walk: RandomWalk
    private let footprint = StepFootprint()
    /// The tree of the profile so far, and the threads that this walk started for the first time.
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

/// The threads of a program by the thread that starts them, over several executions.
///
/// A thread's number depends on the schedule. The thread that started it, and the number of threads that this one had
/// started before, depend on it less: a node of this tree represents "the second thread that the first thread of main
/// starts" in every execution.
struct ThreadTree {
    private struct Node {
        var parent: Int
        /// The nodes of the threads that it starts, in order.
        var children: [Int] = []
    }

    /// The main thread first, and every thread after its parent.
    private var nodes = [Node(parent: 0)]

    static let main = 0

    /// The thread that started the newest thread.
    ///
    /// - Parameters:
    ///   - last: the thread that stepped last.
    ///   - known: the number of known threads. After a prefix that was chosen elsewhere, there are several threads at
    ///     the first decision, and which of them started which is unknown: the main thread stands for all.
    static func starter(_ last: UInt16, known: Int) -> Int { Int(last) < known ? Int(last) : main }

    var count: Int { nodes.count }

    /// The node of the thread that this node's thread starts after `number` others. Nil: not known.
    func child(_ number: Int, of node: Int) -> Int? {
        number < nodes[node].children.count ? nodes[node].children[number] : nil
    }

    mutating func addChild(of node: Int) -> Int {
        nodes[node].children.append(nodes.count)
        nodes.append(Node(parent: node))
        return nodes.count - 1
    }

    /// Each node's value plus those of all its descendants.
    func sumsOfFamilies(_ values: [Int]) -> [Int] {
        var sums = values
        for node in nodes.indices.reversed() where node != Self.main { sums[nodes[node].parent] += sums[node] }
        return sums
    }
}
