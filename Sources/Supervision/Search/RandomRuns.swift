import Trace

/// Random executions of a scenario, recorded and looked at one after the other.
///
/// A search knows no events, from which alone one can tell in which orders locks are taken, and whatever else is not how an
/// execution ends. So these are looked at beside it. Must be used while the process has one thread: it forks.
package struct RandomRuns {
    private let plan: SearchPlan
    private let isExamined: Bool
    private var events = 0
    private var isOver = false
    /// How many there have been.
    package private(set) var count = 0

    private static let most = 100
    /// Of all of them together: nobody wants to wait for long once the search is over.
    private static let mostEvents = 200_000

    /// - Parameter isExamined: whether all detectors look at them, or only those that say how they ended.
    package init(_ plan: SearchPlan, isExamined: Bool) {
        self.plan = plan
        self.isExamined = isExamined
    }

    /// The next one. Nil if those before it are enough: none follows one that computes without end, or was interrupted.
    package mutating func next() throws(SupervisionFailed) -> SupervisedRun? {
        guard !isOver, count < min(Self.most, plan.executions), events < Self.mostEvents else { return nil }
        let seed = plan.settings.seed &+ UInt64(count)
        var run = RunPlan(plan.scenario, .controlled(seed: seed), timeout: plan.replayTime, rules: plan.rules)
        run.isSilent = true
        run.isExamined = isExamined
        let seen = try Supervisor.finish(run)
        count += 1
        events += seen.trace.events.count
        isOver = seen.trace.wasInterrupted || seen.trace.events.last?.kind == .runTimeout
        return seen
    }
}
