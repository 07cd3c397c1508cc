import Machine
import Trace

/// One process. Another one is modelled by a thread: its number is that of the atomic that says whether it has ended.
extension ControlledRuntime {
    package func startProcess(_ body: @escaping @Sendable () throws -> Int) -> Int? { nil }
    package func waitForProcess(_ number: Int, until deadline: Int) -> ProcessEnd? { nil }
    package func killProcess(_ number: Int) {}
    package func execute(_ program: String) throws -> Never { throw ThreadExit(value: 0) }

    package var processNumber: Int {
        get { present.processes[current] ?? 0 }
        set {
            present.processes[current] = newValue
            present.hasHooks = true
        }
    }

    package func isProcessAlive(_ number: Int) throws -> Bool {
        guard number != 0 else { return true }
        let hasEnded = Operation(.load, UInt32(number))
        return try perform(hasEnded, on: .none, with: nil, at: .unknown) == 0
    }
}
