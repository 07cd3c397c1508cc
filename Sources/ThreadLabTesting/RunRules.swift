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

    /// Which writes a load of an atomic may see.
    public enum Model: String, Sendable {
        /// The newest one in an order of all steps: sequential consistency.
        case sc
        /// A thread's own writes early, as on x86.
        case tso
        /// What the orders of C++ and Swift allow.
        case rc11
    }

    public var waiters: Waiters
    public var timeouts: Timeouts
    /// The number of waits on conditions that may end without a signal in one execution, and of weak compare-exchanges that
    /// may fail though they find the expected value, together.
    public var spuriousWakeups: Int
    /// The number of steps after which an execution is given up.
    public var maximumSteps: Int
    public var model: Model

    public init(
        waiters: Waiters = .any, timeouts: Timeouts = .late, spuriousWakeups: Int = 0, maximumSteps: Int = 100_000,
        model: Model = .sc
    ) {
        self.waiters = waiters
        self.timeouts = timeouts
        self.spuriousWakeups = spuriousWakeups
        self.maximumSteps = maximumSteps
        self.model = model
    }

    func machineRules() throws(TestingError) -> Rules {
        var rules = Rules(maximumSteps: max(1, maximumSteps), spuriousWakeups: max(0, spuriousWakeups))
        rules.waiters = waiters == .any ? .any : .fifo
        rules.timeouts = timeouts == .any ? .any : .lazy
        rules.model =
            switch model {
            case .sc: .sc
            case .tso: .tso
            case .rc11: .rc11
            }
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
        if model != usual.model { parts.append("model: .\(model)") }
        return parts.isEmpty ? "" : "rules: RunRules(\(parts.joined(separator: ", ")))"
    }
}
