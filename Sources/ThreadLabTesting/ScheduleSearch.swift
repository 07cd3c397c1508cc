import Exploration

/// The schedules that `explore` tries.
public struct ScheduleSearch: Sendable {
    /// Nil: the automatic search.
    let strategy: StrategyChoice?
    var executions = Int.max
    var seed: UInt64 = 1
    /// For `pct`: the number of steps in a certain order that a bug may need.
    var depth = 3
    /// For `preemptions`: their maximum number in an execution.
    var bound: Int?
    /// What happens if the search has found nothing and has not tried everything that it should.
    var shortfall = Shortfall.warns
    var isIsolated = false

    enum Shortfall {
        /// The test fails.
        case fails
        /// The test has a warning.
        case warns
        case isAccepted
    }

    private init(_ strategy: StrategyChoice?) { self.strategy = strategy }

    /// Every order of dependent steps once, with random schedules in between. So a small program is tried completely
    /// within moments, and in a large one a bug is found soon. If a limit ends the search before everything was tried,
    /// the test has a warning, which `.automatic.orIncomplete` suppresses.
    public static let automatic = ScheduleSearch(nil)

    /// Every order of dependent steps once (optimal dynamic partial-order reduction). If a limit ends the search before
    /// all were tried, the test fails, which `.exhaustive.orIncomplete` prevents.
    public static let exhaustive: ScheduleSearch = {
        var search = ScheduleSearch(.dpor)
        search.shortfall = .fails
        return search
    }()

    /// The automatic search in separate processes: see the property `isolated`.
    public static let isolated = automatic.isolated

    /// A random thread at each step.
    ///
    /// - Parameters:
    ///   - executions: the number of executions to try. By default, as many as the time allows.
    ///   - seed: the same seed yields the same schedules.
    public static func random(executions: Int = .max, seed: UInt64 = 1) -> ScheduleSearch {
        ScheduleSearch(.random).with(executions, seed)
    }

    /// Random priorities that change at a few steps (probabilistic concurrency testing). It finds a bug that needs only
    /// `depth` steps in a certain order with a known probability, even in long executions.
    public static func pct(depth: Int = 3, executions: Int = .max, seed: UInt64 = 1) -> ScheduleSearch {
        var search = ScheduleSearch(.pct).with(executions, seed)
        search.depth = max(1, depth)
        return search
    }

    /// Random priorities, redrawn for steps that depend on each other (partial order sampling).
    public static func pos(executions: Int = .max, seed: UInt64 = 1) -> ScheduleSearch {
        ScheduleSearch(.pos).with(executions, seed)
    }

    /// All schedules with at most this number of preemptions, where a thread is interrupted although it could continue.
    /// If a limit ends the search before all were tried, the test has a warning.
    public static func preemptions(upTo bound: Int) -> ScheduleSearch {
        var search = ScheduleSearch(.preempt)
        search.bound = max(0, bound)
        return search
    }

    private func with(_ executions: Int, _ seed: UInt64) -> ScheduleSearch {
        var search = self
        search.executions = max(1, executions)
        search.seed = seed
        return search
    }

    /// This search, but if it does not try everything, that is neither a failure nor a warning.
    public var orIncomplete: ScheduleSearch {
        var search = self
        search.shortfall = .isAccepted
        return search
    }

    /// This search in separate processes: a crash, an `exit` or an endless loop of the program is a finding, and the
    /// test process survives it. The test runs again in a new process, up to this call, so it starts later (0.2 s in a
    /// debug build), and breakpoints in the closure are not reached.
    public var isolated: ScheduleSearch {
        var search = self
        search.isIsolated = true
        return search
    }
}

extension ScheduleSearch: CustomStringConvertible {
    /// The search as written in a call: `.random(executions: 100, seed: 1).isolated`.
    public var description: String {
        let limit = executions == .max ? "" : "executions: \(executions), "
        let start =
            switch strategy {
            case nil: ".automatic"
            case .pct: ".pct(depth: \(depth), \(limit)seed: \(seed))"
            case .preempt: ".preemptions(upTo: \(bound ?? 0))"
            case .dpor: ".exhaustive"
            case .random, .pos: ".\(strategy?.rawValue ?? "")(\(limit)seed: \(seed))"
            case .states, .graphs, .urw, .surw, .delay, .dfs, .roundRobin: ".\(strategy?.rawValue ?? "")"
            }
        return start + (shortfall == .isAccepted ? ".orIncomplete" : "") + (isIsolated ? ".isolated" : "")
    }
}
