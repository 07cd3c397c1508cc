import Machine
import Supervision

/// Additional behavior in an execution that the program's code does not determine.
public struct RunRules: Sendable {
    /// Which waiter of a condition a signal wakes.
    public enum Waiters: Sendable {
        /// Any of them, as POSIX allows.
        case any
        /// The waiter that has waited longest.
        case first
    }

    /// When a wait with a time limit may time out.
    public enum Timeouts: Sendable {
        /// When no thread can continue, as if processors were infinitely fast.
        case late
        /// At any moment, as if processors could be arbitrarily slow.
        case any
    }

    /// Which writes a load of an atomic may see.
    public enum Model: String, Sendable {
        /// The newest write in an order of all steps: sequential consistency.
        case sc
        /// A thread sees its own writes early, as on x86.
        case tso
        /// The writes that the memory orders of C++ and Swift allow.
        case rc11
    }

    public var waiters: Waiters
    public var timeouts: Timeouts
    /// The number of waits on conditions that may end without a signal in an execution, and of weak compare-exchanges
    /// that may fail spuriously, together. Nil: a search first tries none and then one; a replay has none.
    public var spuriousWakeups: Int?
    /// The number of steps after which an execution is abandoned. Nil: 100,000, and more in a search if no execution
    /// ends within it.
    public var maximumSteps: Int?
    /// The memory model. Nil: a search tries every order under `sc`, and also executions under `rc11` if an operation
    /// on an atomic has a weaker order.
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

    /// The rules for the scheduler. What is left open (nil) has its default.
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

    /// These rules, completed by those under which a search has made a finding.
    func following(_ found: Rules?) -> RunRules {
        guard let found else { return self }
        var rules = self
        if found.spuriousWakeups > 0 { rules.spuriousWakeups = found.spuriousWakeups }
        if found.maximumSteps != RunPlan.defaultMaximumSteps { rules.maximumSteps = found.maximumSteps }
        if found.model != .sc { rules.model = Model(rawValue: found.model.rawValue) }
        return rules
    }

    /// The rules that differ from the default, as an argument to paste: `rules: RunRules(timeouts: .any)`. Empty if
    /// none differs.
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
