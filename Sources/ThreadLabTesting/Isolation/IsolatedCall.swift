import Exploration
import Testing

/// What distinguishes one isolated call of `explore` from the others of its test, in this process and in the one that is
/// started for it.
struct IsolatedCall {
    /// What a process has to do with the call.
    enum Role {
        /// To start a process for it.
        case starter
        /// To do it: the process was started for it, and sends the report through this file descriptor.
        case worker(report: Int32)
        /// Nothing: the process was started for another call of the same test.
        case bystander
    }

    /// The environment variable by which a process knows what it was started for: `DESCRIPTOR IDENTITY`.
    static let variable = "THREADLAB_ISOLATED"

    let identity: String
    let function: String

    init(_ place: CallPlace, _ search: ScheduleSearch, _ rules: RunRules) {
        // The test library has no name for a case. Its description contains the arguments, and addresses.
        let arguments = Test.Case.current.map { String(describing: $0).replacing(/\$[0-9a-f]+|0x[0-9a-f]+/, with: "") }
        identity = "\(place.fileID):\(place.line):\(place.column) \(search) \(rules) \(arguments ?? "")"
        function = "\(place.function)"
    }

    var role: Role {
        guard let assignment = EnvironmentSettings.variable(Self.variable) else { return .starter }
        let parts = assignment.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[1] == identity, let descriptor = Int32(parts[0]) else { return .bystander }
        return .worker(report: descriptor)
    }
}
