import Machine
import Trace

/// The number of steps of a program's threads, and of those on each object: the maximum over several random walks.
///
/// One walk can show far less than what is possible: it may end early, or a thread may find nothing to do. So the
/// executions 0, 1, 3, 7, 15 … of a strategy are walks that measure, and every other execution builds on the earlier
/// walks. It depends on nothing else: a strategy that does not start with execution 0 repeats those walks.
final class Profile {
    /// An object that several threads use and at least one of them changes.
    struct SharedObject {
        var object: UInt32
        /// The number of steps that touch it.
        var steps: Int
        /// By node of the tree: like the profile's, but only for steps on the object. Empty until needed.
        var familySteps: [Int] = []
    }

    private let seed: UInt64
    private var walkCount = 0
    private(set) var tree = ThreadTree()
    /// By node of the tree: the number of the thread's steps.
    private var steps = [0]
    /// Including those of the threads that it starts, and so on.
    private(set) var familySteps = [0]
    private var uses: [UInt32: ObjectUse] = [:]
    private var shared: [SharedObject] = []
    private var stepsOnShared = 0
    /// The maximum over all walks.
    private(set) var mostSteps = 0

    /// - Parameter seed: of the strategy. The walks are not those of a random walk with this seed, which may be run as
    ///   well.
    init(seed: UInt64) { self.seed = SplitMix64.mixed(~seed) }

    // MARK: - Walks

    /// Runs the execution of this number: one that measures, or one that the strategy decides.
    func execute(_ number: Int, of subject: any Subject, by strategy: any Chooser) -> Verdict {
        let walksBefore = Int.bitWidth - number.leadingZeroBitCount
        if walkCount > walksBefore { forget() }
        while walkCount < walksBefore { _ = walk(subject) }
        return number & (number + 1) == 0 ? walk(subject) : subject.execute(strategy)
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
        // How long threads follow a cycle says nothing about how much they have to do.
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

    /// One of the objects that threads share, with a probability in proportion to how many steps touch it. Nil: there
    /// is none.
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

    private func familySteps(on object: UInt32) -> [Int] {
        var steps = [Int](repeating: 0, count: tree.count)
        for (node, count) in uses[object]?.steps ?? [:] { steps[node] = count }
        return tree.sumsOfFamilies(steps)
    }
}

/// How an object is used.
struct ObjectUse {
    /// Whether any of the steps changes it.
    var isWritten = false
    /// By node of the tree of threads.
    var steps: [Int: Int] = [:]

    func merged(with other: Self) -> Self {
        Self(isWritten: isWritten || other.isWritten, steps: steps.merging(other.steps, uniquingKeysWith: max))
    }
}
