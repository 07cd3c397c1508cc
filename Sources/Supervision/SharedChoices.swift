import Execution
import Glibc
import Machine

/// Memory in which a child logs the choices of its run, so that the parent knows the schedule even of a run that crashed.
final class SharedChoices {
    private let memory: UnsafeMutableRawBufferPointer

    init(capacity: Int) throws(SupervisionFailed) {
        let size = (capacity * 2 + 16) * MemoryLayout<Schedule.Choice>.stride
        let address = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let address, address != MAP_FAILED else {
            throw SupervisionFailed("no memory for the schedule: \(String(cString: strerror(errno)))")
        }
        memory = UnsafeMutableRawBufferPointer(start: address, count: size)
    }

    deinit { munmap(memory.baseAddress, memory.count) }

    var log: ChoiceLog { ChoiceLog(sharedMemory: memory) }
}
