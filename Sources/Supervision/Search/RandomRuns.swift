import Authoring
import Diagnosis
import Execution
import Exploration
import Machine
import Trace

/// Random executions of a scenario, recorded and examined by all detectors, one after the other.
///
/// A search does not record events, which are needed to detect the order of locks and anything else other than how an
/// execution ends. These executions are therefore examined in addition. They run in other processes, unless the
/// program has no code of its own, or the caller wants them in this one. Otherwise it forks, and must be used while the
/// process has one thread.
package struct RandomRuns {
    private let plan: SearchPlan
    private let local: ChoiceMemory?
    private let fibers = SpareFibers()
    private let deadline: Deadline
    private var events = 0
    private var isOver = false
    /// The number of executions that the search has tried, if these were all. See `most`.
    private let orders: Int?
    /// Runs that have ended, and follow on those that were asked for.
    private var waiting: [SupervisedRun] = []
    /// The number of executions so far.
    package private(set) var count = 0

    /// Of a program that has as few orders as this, less show each of them, and each process takes as long as many executions.
    private var most: Int {
        let ofFew = plan.scenario.leavesNothing ? orders.map { $0 * 8 } : nil
        return min(100, ofFew ?? .max, plan.executions)
    }
    /// The time limit for all of them together, so that they do not delay the end of the search for long.
    private static let mostEvents = 200_000
    /// The time that they have in any case, in nanoseconds.
    private static let reprieve: UInt64 = 300_000_000
    /// The number of those that share a process, of a program of which they leave nothing.
    private static let mostTogether = 16

    /// - Parameters:
    ///   - orders: the number of executions of a search before them that was complete.
    ///   - local: runs them in this process, on the calling thread, and receives their choices.
    package init(_ plan: SearchPlan, orders: Int? = nil, local: ChoiceMemory? = nil) {
        self.plan = plan
        self.orders = orders
        self.local = local
        // Some time is theirs in any case: what none of them shows counts as missing.
        deadline = plan.end.map { $0.orAfter(min(plan.time / 2, Self.reprieve)) } ?? Deadline(after: plan.time)
    }

    /// The seed of the execution with this number, counted from 1.
    package static func seed(of number: Int, in plan: SearchPlan) -> UInt64 {
        plan.settings.seed &+ UInt64(number - 1)
    }

    /// The next execution. Nil if there were enough, if there is no time for it, or if the last one hung or was interrupted.
    package mutating func next() throws(SupervisionFailed) -> SupervisedRun? {
        guard !isOver, !deadline.isOver, count < most, events < Self.mostEvents else {
            return nil
        }
        if waiting.isEmpty { waiting = try finishNext().reversed() }
        guard let seen = waiting.popLast() else {
            isOver = true
            return nil
        }
        count += 1
        events += seen.trace.events.count
        isOver = seen.trace.wasInterrupted || seen.trace.events.last?.kind == .runTimeout
        return seen
    }

    private func run(_ number: Int) -> RunPlan {
        let seed = Self.seed(of: number, in: plan)
        var run = RunPlan(plan.scenario, .controlled(seed: seed), timeout: plan.replayTime, rules: plan.rules)
        run.isSilent = true
        run.isExamined = true
        run.end = deadline
        return run
    }

    /// The next ones. None: there was no time.
    private func finishNext() throws(SupervisionFailed) -> [SupervisedRun] {
        if plan.scenario.runsOwnCode && local == nil {
            // As many as there were: how long they take is seen before. Those of Swift code could find what others have left.
            let more = plan.scenario.leavesNothing ? min(max(orders ?? 1, count), Self.mostTogether) : 1
            let last = min(most, count + more)
            return try Supervisor.finish((count + 1...last).map(run)).filter { !isCut($0) }
        }
        return try finish(run(count + 1)).map { [$0] } ?? []
    }

    /// Nil: there was no time.
    private func finish(_ run: RunPlan) throws(SupervisionFailed) -> SupervisedRun? {
        let deadline = deadline
        // A test's process handles its signals itself.
        if let local { return try DirectRun(run, log: local, fibers: fibers) { deadline.isOver }.finishInTime() }
        if plan.rules.followedModel == .rc11 { return try finishInProcess(run) }
        return try DirectRun(run, fibers: fibers) { deadline.isOver }.finishUnlessInterrupted()
    }

    /// In a process that can be ended at the deadline: whether an order of sequentially consistent events exists may take long to
    /// find out in the middle of a step.
    private func finishInProcess(_ run: RunPlan) throws(SupervisionFailed) -> SupervisedRun? {
        let seen = try Supervisor.finish(run)
        return isCut(seen) ? nil : seen
    }

    /// Whether it was ended because there was no more time: that says nothing of it.
    private func isCut(_ run: SupervisedRun) -> Bool {
        run.trace.events.last?.kind == .runTimeout && deadline.isOver
    }
}

/// What random executions after a search show of what it does not see: promised warnings in all of them, because how
/// often they occur is part of the evidence, and the first with locks taken in different orders, if that is sought.
package struct RandomEvidence {
    /// The number of executions that were run, and what they showed of the promised warnings, however they ended.
    package private(set) var evidence = Evidence(.controlled, runs: 0, .part(.runs))
    /// The first execution with locks taken in different orders.
    package private(set) var lockOrder: ExplainedFinding?
    /// The first execution that ended as none may. The search may have missed it, or ended before.
    package private(set) var surprise: ExplainedFinding?
    /// The signal that ended it early.
    package private(set) var interruption: Int32?

    /// Of no executions.
    package init() {}

    /// Runs executions while there is something to look for. Nothing is run for a scenario that promises nothing, unless
    /// the caller wants them all.
    ///
    /// - Parameters:
    ///   - orders: the number of executions of the search before them, if it was complete.
    ///   - seeksLockOrder: whether locks taken in different orders are a finding that has not been made yet.
    ///   - local: runs them in this process, on the calling thread, and receives their choices. Nil: they have processes
    ///     of their own.
    ///   - each: receives every execution and its number, even if nothing is promised.
    package init(
        _ plan: SearchPlan, orders: Int? = nil, seeksLockOrder: Bool, local: ChoiceMemory? = nil,
        each: ((SupervisedRun, Int) -> Void)? = nil
    ) throws(SupervisionFailed) {
        let promised = plan.scenario.expectation.warnings
        let wantsAll = each != nil || !promised.isEmpty
        var runs = RandomRuns(plan, orders: orders, local: local)
        while wantsAll || (seeksLockOrder && lockOrder == nil), let run = try runs.next() {
            interruption = run.trace.interruption
            if interruption != nil { return }
            evidence.runs = runs.count
            let execution = Evidence.Execution(number: runs.count, schedule: run.trace.header.schedule ?? "")
            if !promised.isEmpty { evidence.add(run.findings, promised: promised, in: execution) }
            if seeksLockOrder && lockOrder == nil && run.trace.outcome?.kind == .lockOrder {
                lockOrder = try ExplainedFinding(.lockOrder, run, latestOf: runs)
            }
            if surprise == nil, let kind = Self.surprise(in: run.trace, plan) {
                surprise = try ExplainedFinding(kind, run, latestOf: runs)
            }
            each?(run, runs.count)
        }
    }

    /// How the execution ended, if it may not. One that takes too long says nothing, to a search either.
    private static func surprise(in trace: TraceDocument, _ plan: SearchPlan) -> OutcomeKind? {
        guard let kind = trace.outcome?.kind, kind != .interrupted, kind != .timeout,
            !plan.scenario.expectation.allows(kind, on: .controlled)
        else { return nil }
        return kind
    }
}

extension Expectation {
    /// The promised warnings that no run showed.
    package func missingWarnings(in evidence: [Evidence]) -> [WarningKind] {
        warnings.filter { kind in !evidence.contains { $0.shows(kind) } }
    }
}
