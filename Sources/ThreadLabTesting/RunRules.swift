import Machine

/// What may happen in an execution beyond what the program itself leaves open.
public struct RunRules: Sendable {
    /// Which of a condition's waiters a signal wakes.
    public enum Waiters: Sendable {
        /// Any of them, as POSIX allows.
        case any
        /// The one that has waited longest.
        case first
    }

    /// When a wait with a time limit may time out.
    public enum Timeouts: Sendable {
        /// When no thread can continue, as if processors were infinitely fast.
        case late
        /// At any moment: as if processors could be arbitrarily slow.
        case any
    }

    public var waiters: Waiters
    public var timeouts: Timeouts
    /// The number of waits on conditions that may end without a signal in one execution.
    public var spuriousWakeups: Int
    /// The number of steps after which an execution is given up.
    public var maximumSteps: Int

    public init(
        waiters: Waiters = .any, timeouts: Timeouts = .late, spuriousWakeups: Int = 0, maximumSteps: Int = 100_000
    ) {
        self.waiters = waiters
        self.timeouts = timeouts
        self.spuriousWakeups = spuriousWakeups
        self.maximumSteps = maximumSteps
    }

    var machineRules: Rules {
        var rules = Rules(maximumSteps: max(1, maximumSteps), spuriousWakeups: max(0, spuriousWakeups))
        rules.waiters = waiters == .any ? .any : .fifo
        rules.timeouts = timeouts == .any ? .any : .lazy
        return rules
    }

    /// The arguments of a call that differ from the default, to be pasted: `rules: RunRules(timeouts: .any), `.
    var argument: String {
        let usual = RunRules()
        var parts: [String] = []
        if waiters != usual.waiters { parts.append("waiters: .\(waiters)") }
        if timeouts != usual.timeouts { parts.append("timeouts: .\(timeouts)") }
        if spuriousWakeups != usual.spuriousWakeups { parts.append("spuriousWakeups: \(spuriousWakeups)") }
        if maximumSteps != usual.maximumSteps { parts.append("maximumSteps: \(maximumSteps)") }
        return parts.isEmpty ? "" : "rules: RunRules(\(parts.joined(separator: ", ")))"
    }
}
