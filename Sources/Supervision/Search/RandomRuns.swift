import Trace

/// Random executions of a scenario, recorded and examined one after the other.
///
/// A search does not record events, which are needed to detect the order of locks and anything else other than how an
/// execution ends. These executions are therefore examined in addition. Each runs in a process of its own, unless the
/// program has no code of its own. Must be used while the process has one thread: it forks.
package struct RandomRuns {
    private let plan: SearchPlan
    private let isExamined: Bool
    private var events = 0
    private var isOver = false
    /// The number of executions so far.
    package private(set) var count = 0

    private static let most = 100
    /// The time limit for all of them together, so that they do not delay the end of the search for long.
    private static let mostEvents = 200_000

    /// - Parameter isExamined: whether all detectors examine them, or only those that determine how they ended.
    package init(_ plan: SearchPlan, isExamined: Bool) {
        self.plan = plan
        self.isExamined = isExamined
    }

    /// The next execution. Nil if there were enough, or if the last one hung or was interrupted.
    package mutating func next() throws(SupervisionFailed) -> SupervisedRun? {
        guard !isOver, count < min(Self.most, plan.executions), events < Self.mostEvents else { return nil }
        let seed = plan.settings.seed &+ UInt64(count)
        var run = RunPlan(plan.scenario, .controlled(seed: seed), timeout: plan.replayTime, rules: plan.rules)
        run.isSilent = true
        run.isExamined = isExamined
        let seen = try plan.scenario.runsOwnCode ? Supervisor.finish(run) : DirectRun(run).finishUnlessInterrupted()
        count += 1
        events += seen.trace.events.count
        isOver = seen.trace.wasInterrupted || seen.trace.events.last?.kind == .runTimeout
        return seen
    }
}
