import Execution
import Machine

/// Memory in which a child logs the choices of its run, so that the parent knows the schedule even of a run that crashed; and
/// whether the run has come to an end of its own.
final class SharedChoices: Sendable {
    private let memory: SharedMemory
    private static let headerSize = MemoryLayout<UInt64>.size

    init(capacity: Int) throws(SupervisionFailed) {
        memory = try SharedMemory(
            size: Self.headerSize + (capacity * 2 + 16) * MemoryLayout<Schedule.Choice>.stride, for: "the schedule")
    }

    var log: ChoiceLog {
        ChoiceLog(sharedMemory: UnsafeMutableRawBufferPointer(rebasing: memory.bytes[Self.headerSize...]))
    }

    /// Whether the run, and not the program, ended the process.
    var hasEnded: Bool { memory.bytes.load(as: UInt64.self) != 0 }

    func noteEnd() { memory.bytes.storeBytes(of: 1, as: UInt64.self) }
}
