import Glibc
import Text

/// What the environment says about searches, for jobs that search longer, or elsewhere, than the tests do by themselves.
struct EnvironmentSettings {
    var time: UInt64?
    var seed: UInt64?
    var executions: Int?

    init() throws(TestingError) {
        if let text = Self.variable("THREADLAB_TIME") {
            guard let time = DurationText.read(text), time > 0 else {
                throw TestingError("THREADLAB_TIME is '\(text.printable)': it must be a duration like 30s or 5m")
            }
            self.time = time
        }
        if let text = Self.variable("THREADLAB_SEED") {
            guard let seed = UInt64(text) else {
                throw TestingError("THREADLAB_SEED is '\(text.printable)': it must be a number from 0")
            }
            self.seed = seed
        }
        if let text = Self.variable("THREADLAB_EXECUTIONS") {
            guard let executions = Int(text), executions > 0 else {
                throw TestingError("THREADLAB_EXECUTIONS is '\(text.printable)': it must be a number from 1")
            }
            self.executions = executions
        }
    }

    /// Nil if it is not set, or empty.
    static func variable(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }
}
