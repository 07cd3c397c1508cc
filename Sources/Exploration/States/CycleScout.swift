import Machine

/// Finds executions that never end in programs that count the rounds of a loop (`StatefulSubject.hasCounters`). It
/// walks through the states without their counters, at the same time as `StateSearch` walks through all states.
///
/// If a loop counts its rounds, each round leads to a new state, so the program has infinitely many states and no cycle
/// among them. Without counters there are usually few states. Each path through them is a path of the program, because
/// nothing depends on counters. So if a fair scheduler can follow a cycle of them forever, the program has an execution
/// that never ends. The scout concludes nothing else.
final class CycleScout {
    let walk: StateWalk
    /// Whether all states have been visited.
    private(set) var isOver = false
    private let subject: any StatefulSubject
    private let fairness: Rules.Fairness

    init(_ subject: any StatefulSubject, _ rules: Rules) {
        self.subject = subject
        fairness = rules.fairness
        walk = StateWalk(
            StateSpace(subject, rules, isReduced: false, exchanges: false, forgetsCounters: true), isDepthFirst: false)
        walk.begin { _ in }
    }

    /// Expands the next state. The subject is left in an arbitrary state of this walk.
    func advance() {
        if let number = walk.next() {
            walk.expand(number) { _ in }
        } else {
            isOver = !(subject.mayPassTimeBesideOthers && walk.passTime(fairness) { _ in })
        }
    }
}
