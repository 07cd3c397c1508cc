import Execution
import Machine
import Synchronization

/// Memory in which a child logs the choices of its run, so that the parent knows the schedule even of a run that crashed; and
/// whether the run has come to an end of its own.
final class SharedChoices: Sendable {
    private struct Header: ~Copyable {
        let hasEnded = Atomic(false)
    }

    private let memory: SharedMemory
    /// Where the log begins: it is aligned for whatever stands there.
    private static let headerSize = 64

    init(capacity: Int) throws(SupervisionFailed) {
        memory = try SharedMemory(
            size: Self.headerSize + ChoiceLog.size(for: capacity), for: "the schedule")
        memory.bytes.bindMemory(to: Header.self).baseAddress!.initialize(to: Header())
    }

    private var header: UnsafeMutablePointer<Header> {
        memory.bytes.baseAddress!.assumingMemoryBound(to: Header.self)
    }

    var log: ChoiceLog {
        ChoiceLog(sharedMemory: UnsafeMutableRawBufferPointer(rebasing: memory.bytes[Self.headerSize...]))
    }

    /// Whether the run, and not the program, ended the process.
    var hasEnded: Bool { header.pointee.hasEnded.load(ordering: .acquiring) }

    func noteEnd() { header.pointee.hasEnded.store(true, ordering: .releasing) }
}
