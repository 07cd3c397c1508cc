import Authoring
import Diagnosis
import Execution
import Exploration
import Machine
import Trace

/// Random executions of a scenario, one after the other, recorded and examined by all detectors.
///
/// The executions of a search are not recorded, so the search only knows how they ended. Warnings and the order of
/// locks can only be detected from events, so after a search some random executions are recorded and examined.
///
/// A program with code of its own runs in other processes, and so does one under rc11; other programs run in this
/// process. The caller can request that all run in this process. If other processes are needed, this process must have
/// one thread, because it forks.
package struct RandomRuns {
    private let plan: SearchPlan
    /// Nil: executions may run in other processes.
    private let local: ChoiceMemory?
    private let fibers = SpareFibers()
    private let deadline: Deadline
    /// The number of events of the executions so far.
    private var events = 0
    /// Whether no further executions follow.
    private var isOver = false
    /// The number of executions of the search, if it was complete. Nil: it was not.
    private let orders: Int?
    /// Finished runs that the caller has not taken yet.
    private var waiting: [SupervisedRun] = []
    /// The number of executions that the caller has taken.
    package private(set) var count = 0

    /// The maximum number of executions. If the search has shown that a program has few orders of steps, few random
    /// executions show each of them.
    private var most: Int {
        let ofFew = plan.scenario.leavesNothing ? orders.map { $0 * 8 } : nil
        return min(100, ofFew ?? .max, plan.executions)
    }
    /// The limit of events of all executions, so that they do not delay the end of the search for long.
    private static let mostEvents = 200_000
    /// The minimum time for these executions, in nanoseconds.
    private static let reprieve: UInt64 = 300_000_000
    /// The number of executions that share a process, if an execution leaves nothing behind.
    private static let mostTogether = 16

    /// - Parameters:
    ///   - orders: the number of executions of the search, if it was complete.
    ///   - local: if given, executions run in this process, on the calling thread, and their choices are written here.
    package init(_ plan: SearchPlan, orders: Int? = nil, local: ChoiceMemory? = nil) {
        self.plan = plan
        self.orders = orders
        self.local = local
        // The executions have a minimum time, because a promised warning that none of them shows counts as missing.
        deadline = plan.end.map { $0.orAfter(min(plan.time / 2, Self.reprieve)) } ?? Deadline(after: plan.time)
    }

    /// The seed of the execution with this number, counted from 1.
    package static func seed(of number: Int, in plan: SearchPlan) -> UInt64 {
        plan.settings.seed &+ UInt64(number - 1)
    }

    /// The next execution. Nil if there were enough, if the time is over, or if the last one hung or was interrupted.
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

    /// The next executions. Empty: the time is over.
    private func finishNext() throws(SupervisionFailed) -> [SupervisedRun] {
        if plan.scenario.runsOwnCode && local == nil {
            // Several executions share a process only if they leave nothing behind: Swift code could find what earlier
            // executions left in memory. If the number of orders is not known, there is one at first, and then as many
            // as before, because it is not known how long an execution takes.
            let more = plan.scenario.leavesNothing ? min(max(orders ?? 1, count), Self.mostTogether) : 1
            let last = min(most, count + more)
            return try Supervisor.finish((count + 1...last).map(run)).filter { !isCut($0) }
        }
        return try finish(run(count + 1)).map { [$0] } ?? []
    }

    /// Makes a run of a program without code of its own, or in this process. Nil: the time is over.
    private func finish(_ run: RunPlan) throws(SupervisionFailed) -> SupervisedRun? {
        let deadline = deadline
        // A test's process handles its own signals.
        if let local { return try DirectRun(run, log: local, fibers: fibers) { deadline.isOver }.finishInTime() }
        if plan.rules.followedModel == .rc11 { return try finishInProcess(run) }
        return try DirectRun(run, fibers: fibers) { deadline.isOver }.finishUnlessInterrupted()
    }

    /// Makes a run in a process that can be ended at the deadline. Under rc11 a single step can take long, because the
    /// machine must find out whether an order of all sequentially consistent events exists.
    private func finishInProcess(_ run: RunPlan) throws(SupervisionFailed) -> SupervisedRun? {
        let seen = try Supervisor.finish(run)
        return isCut(seen) ? nil : seen
    }

    /// Whether the run was ended because the time is over, so that it says nothing.
    private func isCut(_ run: SupervisedRun) -> Bool {
        run.trace.events.last?.kind == .runTimeout && deadline.isOver
    }
}

/// What random executions after a search show in addition to it: how many of them show each promised warning, and the
/// first execution with locks taken in different orders, if that is sought.
package struct RandomEvidence {
    /// The number of all executions, and the promised warnings that they showed.
    package private(set) var evidence = Evidence(.controlled, runs: 0, .part(.runs))
    /// The first execution with locks taken in different orders.
    package private(set) var lockOrder: ExplainedFinding?
    /// The first execution with an outcome that is not allowed. The search may have missed it, or ended before it.
    package private(set) var surprise: ExplainedFinding?
    /// The signal that interrupted the executions. Nil: none did.
    package private(set) var interruption: Int32?

    package init() {}

    /// Runs executions as long as there is something to look for. If the scenario promises no warnings, that is only a
    /// different order of locks, if it is sought. With `each`, all executions are run.
    ///
    /// - Parameters:
    ///   - orders: the number of executions of the search, if it was complete.
    ///   - seeksLockOrder: whether locks taken in different orders would be a new finding.
    ///   - local: if given, executions run in this process, on the calling thread, and their choices are written here.
    ///     Otherwise they have processes of their own.
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

    /// The outcome of the execution, if it is not allowed. An execution that takes too long says nothing, as in a
    /// search.
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
