import Machine
import Supervision

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
    /// may fail though they find the expected value, together. Nil: a search tries first none and then one, and a replay none.
    public var spuriousWakeups: Int?
    /// The number of steps after which an execution is given up. Nil: 100,000, and in a search more if no execution ends within it.
    public var maximumSteps: Int?
    /// Nil: a search tries every order under `sc`, and if an operation on an atomic has a weaker order, executions under `rc11` too.
    public var model: Model?

    public init(
        waiters: Waiters = .any, timeouts: Timeouts = .late, spuriousWakeups: Int? = nil, maximumSteps: Int? = nil,
        model: Model? = nil
    ) {
        self.waiters = waiters
        self.timeouts = timeouts
        self.spuriousWakeups = spuriousWakeups
        self.maximumSteps = maximumSteps
        self.model = model
    }

    func machineRules() throws(TestingError) -> Rules {
        var rules = Rules(
            maximumSteps: max(1, maximumSteps ?? RunPlan.defaultMaximumSteps),
            spuriousWakeups: max(0, spuriousWakeups ?? 0))
        rules.waiters = waiters == .any ? .any : .fifo
        rules.timeouts = timeouts == .any ? .any : .lazy
        rules.model =
            switch model {
            case .sc, nil: .sc
            case .tso: .tso
            case .rc11: .rc11
            }
        return rules
    }

    /// The rules under which a search has found something.
    func following(_ found: Rules?) -> RunRules {
        guard let found else { return self }
        var rules = self
        if found.spuriousWakeups > 0 { rules.spuriousWakeups = found.spuriousWakeups }
        if found.maximumSteps != RunPlan.defaultMaximumSteps { rules.maximumSteps = found.maximumSteps }
        if found.model != .sc { rules.model = Model(rawValue: found.model.rawValue) }
        return rules
    }

    /// The arguments of a call that differ from the default, to be pasted: `rules: RunRules(timeouts: .any), `.
    var argument: String {
        let usual = RunRules()
        var parts: [String] = []
        if waiters != usual.waiters { parts.append("waiters: .\(waiters)") }
        if timeouts != usual.timeouts { parts.append("timeouts: .\(timeouts)") }
        if let spuriousWakeups { parts.append("spuriousWakeups: \(spuriousWakeups)") }
        if let maximumSteps { parts.append("maximumSteps: \(maximumSteps)") }
        if let model { parts.append("model: .\(model)") }
        return parts.isEmpty ? "" : "rules: RunRules(\(parts.joined(separator: ", ")))"
    }
}
