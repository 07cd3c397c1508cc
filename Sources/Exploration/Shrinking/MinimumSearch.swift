import Machine

/// Looks for the cheapest schedule by trying all, those with the fewest preemptions first: if the program is small
/// enough, the result is the minimum.
struct MinimumSearch {
    private let goal: Counterexample.Identity
    private let subject: any Subject
    /// The number of steps left.
    private var patience: Int

    init(_ goal: Counterexample.Identity, _ subject: any Subject, patience: Int) {
        self.goal = goal
        self.subject = subject
        self.patience = patience
    }

    /// The cheapest schedule that leads to the goal, if it is not the given one, and what is known about the others.
    mutating func minimum(from start: Rehearsal) -> (best: Rehearsal, Shrunk.Minimality) {
        let search = BoundedSearch(.preemptions, upTo: start.cost.preemptions, goal.cycleSearch(on: subject))
        var best = start
        var isFound = false
        var number = 0
        while search.prepare(number) {
            if isFound && search.bound > best.cost.preemptions { return (best, .steps) }
            guard patience > 0 else {
                return (best, search.bound >= best.cost.preemptions ? .preemptions : .unknown)
            }
            let verdict = search.execute(subject)
            patience -= subject.stepCount
            number += 1
            let rehearsal = subject.rehearsal(verdict, preemptions: search.bound, towards: goal)
            if rehearsal.end == goal && rehearsal.cost < best.cost {
                best = rehearsal
                isFound = true
            }
        }
        return (best, search.obstacle == nil ? .steps : .unknown)
    }
}
