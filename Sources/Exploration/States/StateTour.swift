import Machine
import Trace

/// A breadth-first walk through all states of a small program that looks for states with given properties.
///
/// The walk is complete: it leaves out no order of steps, and exchanges no threads. So if it reaches its end, a
/// property that no state has is impossible, and the schedule to a state that has one is as short as possible.
package struct StateTour: Sendable {
    /// By the number of a property: the schedule of an execution that leads to the first state with the property.
    package private(set) var schedules: [Int: Schedule] = [:]
    /// The number of states that were visited.
    package private(set) var stateCount = 0
    /// Whether all states were visited, or all properties were found.
    package private(set) var isComplete = false

    /// - Parameters:
    ///   - most: the maximum number of states.
    ///   - properties: the number of properties.
    ///   - isStopped: whether to stop; asked before each state is expanded.
    ///   - look: returns the numbers of the properties that the subject's present state has. The verdict is nil if the
    ///     execution continues.
    package init(
        _ subject: any StatefulSubject, _ rules: Rules, most: Int, properties: Int,
        isStopped: () -> Bool = { false }, look: @escaping (any StatefulSubject, Verdict?) -> [Int]
    ) {
        let walk = StateWalk(StateSpace(subject, rules, isReduced: false, exchanges: false), isDepthFirst: false)
        var found: [Int: Int] = [:]
        func note(_ state: Int, _ verdict: Verdict?) {
            for property in look(subject, verdict) where found[property] == nil { found[property] = state }
        }
        let reachEnd = { (state: Int) in note(state, walk.space.verdict(of: walk.states.row(state))) }
        walk.begin(reachEnd)
        var wasStopped = false
        func mayContinue() -> Bool {
            wasStopped = wasStopped || isStopped()
            return !wasStopped && found.count < properties && walk.states.count <= most
        }
        repeat {
            while mayContinue(), let state = walk.next() {
                walk.space.loadNow()
                note(state, nil)
                walk.expand(state, reachEnd)
            }
        } while mayContinue() && subject.mayPassTimeBesideOthers && walk.passTime(rules.fairness, reachEnd)
        stateCount = walk.states.count
        isComplete = found.count == properties || stateCount <= most && !wasStopped
        schedules = found.mapValues { walk.schedule(to: $0, rules.fairness) }
    }
}
