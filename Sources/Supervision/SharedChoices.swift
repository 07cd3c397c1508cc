import Execution
import Machine

/// Memory in which a child logs the choices of its run, so that the parent knows the schedule even of a run that crashed.
final class SharedChoices {
    private let memory: SharedMemory

    init(capacity: Int) throws(SupervisionFailed) {
        memory = try SharedMemory(
            size: (capacity * 2 + 16) * MemoryLayout<Schedule.Choice>.stride, for: "the schedule")
    }

    var log: ChoiceLog { ChoiceLog(sharedMemory: memory.bytes) }
}
