import Machine

/// Looks for a schedule with fewer preemptions at random, starting with none.
struct SparseSearch {
    private let goal: Counterexample.Identity
    private let subject: any Subject
    private let walk: SparseWalk
    /// The number of steps left.
    private var patience: Int

    /// The number of walks for each number of preemptions.
    private static let walks = 500
    /// Random walks do not find schedules that need more preemptions.
    private static let mostPreemptions = 8

    init(_ goal: Counterexample.Identity, _ subject: any Subject, patience: Int) {
        self.goal = goal
        walk = SparseWalk(goal.cycleSearch(on: subject))
        self.subject = subject
        self.patience = patience
    }

    /// A schedule that leads to the goal with fewer preemptions.
    mutating func schedule(below cost: ScheduleCost) -> Schedule? {
        for preemptions in 0..<min(cost.preemptions, Self.mostPreemptions) {
            for number in 0..<Self.walks {
                guard patience > 0 else { return nil }
                walk.prepare(number, preemptions: preemptions)
                let verdict = subject.execute(walk)
                patience -= subject.stepCount
                let rehearsal = subject.rehearsal(verdict, preemptions: preemptions, towards: goal)
                if rehearsal.end == goal { return rehearsal.schedule }
            }
        }
        return nil
    }
}
