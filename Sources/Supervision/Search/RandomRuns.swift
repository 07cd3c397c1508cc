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
/// Executions of a program with code of its own run in other processes: several in one process if they leave nothing
/// behind. Executions of other programs run in this process; under rc11, where a step can take long, each has a process
/// of its own. The caller can request that all run in this process. If other processes are needed, this process must
/// have one thread, because it forks.
package struct RandomRuns {
    private let plan: SearchPlan
    /// Receives the choices of the executions, all of which then run in this process. Nil: they may run in others.
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

    /// The maximum number of executions: 100, or the plan's limit if that is less. A program whose executions leave
    /// nothing behind gets fewer if the search has shown that it has few orders of steps, because few random executions
    /// then show each of them.
    private var most: Int {
        let enoughOfFew = plan.scenario.leavesNothing ? orders.map { $0 * Self.executionsPerOrder } : nil
        return min(100, enoughOfFew ?? .max, plan.executions)
    }
    /// The number of executions for each order of steps, if there are few orders.
    private static let executionsPerOrder = 8
    /// The limit of events of all executions, so that they do not delay the end of the search for long.
    private static let mostEvents = 200_000
    /// The minimum time for these executions, in nanoseconds.
    private static let reprieve: UInt64 = 300_000_000
    /// The maximum number of executions that share a process, if an execution leaves nothing behind.
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

    /// The next execution. Nil if there were enough executions or events, if the time is over, or if the last execution
    /// hung or was interrupted.
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
            // executions left in memory. As it is not known how long an execution takes, the first process has one, and
            // each later one as many as were made before. If `orders` is known, each has at least that number.
            // `mostTogether` limits all of them.
            let more = plan.scenario.leavesNothing ? min(max(orders ?? 1, count), Self.mostTogether) : 1
            let last = min(most, count + more)
            return try Supervisor.finish((count + 1...last).map(run)).filter { !isCut($0) }
        }
        return try finish(run(count + 1)).map { [$0] } ?? []
    }

    /// Makes a run of a program without code of its own, or of any program if `local` is given. Nil: the time is over.
    private func finish(_ run: RunPlan) throws(SupervisionFailed) -> SupervisedRun? {
        let deadline = deadline
        // `local` is given by tests, whose process handles its own signals.
        if let local { return try DirectRun(run, log: local, fibers: fibers) { deadline.isOver }.finishInTime() }
        if plan.rules.followedModel == .rc11 { return try finishInOtherProcess(run) }
        return try DirectRun(run, fibers: fibers) { deadline.isOver }.finishUnlessInterrupted()
    }

    /// Makes a run in a process that can be ended at the deadline. Under rc11 a single step can take long, because the
    /// machine must find out whether an order of all sequentially consistent events exists.
    private func finishInOtherProcess(_ run: RunPlan) throws(SupervisionFailed) -> SupervisedRun? {
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

    /// Runs all executions of `RandomRuns` if the scenario promises warnings, or if `each` is given. Otherwise runs
    /// them only until one takes locks in different orders, and none if that is not sought.
    ///
    /// - Parameters:
    ///   - orders: the number of executions of the search, if it was complete.
    ///   - seeksLockOrder: whether locks taken in different orders would be a new finding.
    ///   - local: if given, executions run in this process, on the calling thread, and their choices are written here.
    ///     Otherwise they run where `RandomRuns` says.
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
            if surprise == nil, let kind = Self.forbiddenOutcome(of: run.trace, plan) {
                surprise = try ExplainedFinding(kind, run, latestOf: runs)
            }
            each?(run, runs.count)
        }
    }

    /// The outcome of the execution, if it is not allowed. An execution that takes too long says nothing, as in a
    /// search.
    private static func forbiddenOutcome(of trace: TraceDocument, _ plan: SearchPlan) -> OutcomeKind? {
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
