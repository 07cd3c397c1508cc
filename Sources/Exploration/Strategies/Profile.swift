import Machine

/// What one execution says about a program's size: a random walk that counts each thread's steps, and keeps who started whom.
///
/// A thread is known by its parent and by how many that one had started before it, since numbers change from one execution to
/// the next.
final class Profile: Chooser {
    /// A thread as the program has it.
    struct Member {
        /// How many steps it took.
        var steps = 0
        /// With those of its children, theirs, and so on.
        var stepsOfFamily = 0
        var parent = 0
        /// In the order in which it started them.
        var children: [Int] = []
    }

    private let walk: RandomWalk
    /// The main thread first, and no thread before its parent.
    private(set) var members: [Member] = []

    init(seed: UInt64) { walk = RandomWalk(seed: seed) }

    /// How many steps the execution took. 0: none has been looked at.
    var steps: Int { members.first?.stepsOfFamily ?? 0 }

    /// Runs the execution that is looked at: number 0 of a random walk.
    func learn(from subject: any Subject) -> Verdict {
        members = []
        _ = walk.prepare(0)
        let verdict = subject.execute(self)
        for index in members.indices.reversed() {
            members[index].stepsOfFamily += members[index].steps
            if index > 0 { members[members[index].parent].stepsOfFamily += members[index].stepsOfFamily }
        }
        return verdict
    }

    func begin() {}

    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        while members.count < state.threadCount {
            let parent = Int(last)
            if !members.isEmpty { members[parent].children.append(members.count) }
            members.append(Member(parent: parent))
        }
        guard let thread = walk.chooseThread(enabled, last: last, state: state) else { return nil }
        members[Int(thread)].steps += 1
        return thread
    }

    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        walk.chooseAlternative(count, of: thread, state: state)
    }
}
