import Machine

/// A walk through the states of a program without the words that only count (`StatefulSubject.hasCounters`), beside one through all of them.
///
/// Where a loop counts its rounds, each round leads to a new state, so that there is no end of states, and no cycle among them. Without what
/// counts there are fewer, mostly few. Each way among them is one of the program, because nothing that happens depends on what is left out;
/// so a cycle of them that a fair scheduler can follow forever is an execution of the program that never ends. Nothing else is concluded.
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

    /// Expands the next state. Afterwards the subject is in some state of this walk.
    func advance() {
        if let number = walk.next() {
            walk.expand(number) { _ in }
        } else {
            isOver = !(subject.mayPassTimeBesideOthers && walk.passTime(fairness) { _ in })
        }
    }
}
