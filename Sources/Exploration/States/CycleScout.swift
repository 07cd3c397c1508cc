import Machine

/// A walk through the states of a program without its counters (`StatefulSubject.hasCounters`), beside the walk through
/// all of its states.
///
/// Where a loop counts its rounds, each round leads to a new state, so the program has endlessly many states without a
/// cycle among them. Without counters there are usually few states. Each path through them is a path of the program,
/// because nothing depends on counters. So if a fair scheduler can follow a cycle of them forever, the program has an
/// execution that never ends. The scout concludes nothing else.
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
