import Glibc
import Machine
import Text

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

/// What the environment says about searches, for jobs that search longer, or elsewhere, than the tests do by themselves.
struct EnvironmentSettings: Equatable {
    var time: UInt64?
    var seed: UInt64?
    var executions: Int?
    /// The longest time without a step in the test's own process. 0: any.
    var stepTime: UInt64?

    /// What these variables say. One that is missing or empty says nothing.
    init(_ variables: [String: String]) throws(TestingError) {
        time = try Self.value("THREADLAB_TIME", variables, "a duration like 30s or 5m") {
            DurationText.read($0).flatMap { $0 > 0 ? $0 : nil }
        }
        seed = try Self.value("THREADLAB_SEED", variables, "a number from 0", UInt64.init)
        executions = try Self.value("THREADLAB_EXECUTIONS", variables, "a number from 1") {
            Int($0).flatMap { $0 > 0 ? $0 : nil }
        }
        stepTime = try Self.value(
            "THREADLAB_STEP_TIME", variables, "a duration like 5m, or 0s for no limit", DurationText.read)
    }

    /// What this process's environment says.
    static func ofProcess() throws(TestingError) -> EnvironmentSettings {
        var variables: [String: String] = [:]
        for name in ["TIME", "SEED", "EXECUTIONS", "STEP_TIME"].map({ "THREADLAB_\($0)" }) {
            variables[name] = variable(name)
        }
        return try EnvironmentSettings(variables)
    }

    private static func value<Value>(
        _ name: String, _ variables: [String: String], _ meaning: String, _ read: (String) -> Value?
    ) throws(TestingError) -> Value? {
        guard let text = variables[name], !text.isEmpty else { return nil }
        if let value = read(text) { return value }
        throw TestingError("\(name) is '\(text.printable)': it must be \(meaning)")
    }

    /// Nil if it is not set, or empty.
    static func variable(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }
}
