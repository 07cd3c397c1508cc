import Glibc
import Text

/// The settings of searches in environment variables, such as `THREADLAB_TIME=60s`: for jobs that search longer than
/// the tests themselves ask for, or differently.
struct EnvironmentSettings: Equatable {
    /// The time limit of a search, in nanoseconds.
    var time: UInt64?
    var seed: UInt64?
    /// The limit of executions of a search.
    var executions: Int?
    /// The limit of time without a step in the test's own process, in nanoseconds. 0: no limit.
    var stepTime: UInt64?
    var replay: ReplayRequest?

    /// Reads these variables. A missing or empty variable sets nothing.
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
        replay = variables["THREADLAB_REPLAY"].flatMap { $0.isEmpty ? nil : ReplayRequest($0) }
    }

    static func ofProcess() throws(TestingError) -> EnvironmentSettings {
        var variables: [String: String] = [:]
        for name in ["TIME", "SEED", "EXECUTIONS", "STEP_TIME", "REPLAY"].map({ "THREADLAB_\($0)" }) {
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

    /// The variable's value. Nil if it is not set, or empty.
    static func variable(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }
}

/// The schedule that calls of `explore` repeat instead of searching (`THREADLAB_REPLAY`): `0x2,1x3`, or `24:0x2,1x3`
/// for the call in line 24 only.
struct ReplayRequest: Equatable {
    /// The line of the call. Nil: any.
    private let line: UInt?
    private let schedule: String

    init(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, let line = UInt(parts[0]) {
            self.line = line
            schedule = String(parts[1])
        } else {
            line = nil
            schedule = text
        }
    }

    /// The schedule that a call in this line must repeat. Nil: it searches.
    func schedule(line: UInt) -> String? { self.line == nil || self.line == line ? schedule : nil }

    /// A shell command that repeats a schedule at this place.
    ///
    /// - Parameter filter: a regular expression that selects the test.
    static func command(_ schedule: String, _ filter: String, line: UInt) -> String {
        // For an empty schedule, the line keeps the variable from being empty: that would set nothing.
        let value = schedule.isEmpty ? "\(line):" : schedule
        return "THREADLAB_REPLAY=\(value) swift test --filter '\(filter)'"
    }
}
