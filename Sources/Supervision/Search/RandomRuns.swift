import Execution
import Machine
import Trace

/// Random executions of a scenario, recorded and examined by all detectors, one after the other.
///
/// A search does not record events, which are needed to detect the order of locks and anything else other than how an
/// execution ends. These executions are therefore examined in addition. Each runs in a process of its own, unless the
/// program has no code of its own, or the caller wants them in this one. Otherwise it forks, and must be used while the
/// process has one thread.
package struct RandomRuns {
    private let plan: SearchPlan
    private let local: ChoiceMemory?
    private let fibers = SpareFibers()
    private var events = 0
    private var isOver = false
    /// The number of executions so far.
    package private(set) var count = 0

    private static let most = 100
    /// The time limit for all of them together, so that they do not delay the end of the search for long.
    private static let mostEvents = 200_000

    /// - Parameter local: runs them in this process, on the calling thread, and receives their choices.
    package init(_ plan: SearchPlan, local: ChoiceMemory? = nil) {
        self.plan = plan
        self.local = local
    }

    /// The seed of the execution with this number, counted from 1.
    package static func seed(of number: Int, in plan: SearchPlan) -> UInt64 {
        plan.settings.seed &+ UInt64(number - 1)
    }

    /// The next execution. Nil if there were enough, or if the last one hung or was interrupted.
    package mutating func next() throws(SupervisionFailed) -> SupervisedRun? {
        guard !isOver, count < min(Self.most, plan.executions), events < Self.mostEvents else { return nil }
        let seed = Self.seed(of: count + 1, in: plan)
        var run = RunPlan(plan.scenario, .controlled(seed: seed), timeout: plan.replayTime, rules: plan.rules)
        run.isSilent = true
        run.isExamined = true
        let seen = try finish(run)
        count += 1
        events += seen.trace.events.count
        isOver = seen.trace.wasInterrupted || seen.trace.events.last?.kind == .runTimeout
        return seen
    }

    private func finish(_ run: RunPlan) throws(SupervisionFailed) -> SupervisedRun {
        // A test's process handles its signals itself.
        if let local { return try DirectRun(run, log: local, fibers: fibers).finish() }
        if plan.scenario.runsOwnCode { return try Supervisor.finish(run) }
        return try DirectRun(run, fibers: fibers).finishUnlessInterrupted()
    }
}
