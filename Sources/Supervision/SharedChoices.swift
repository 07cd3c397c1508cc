import Execution
import Machine
import Synchronization

/// Memory in which a child logs the choices of its run, so that the parent knows the schedule even of a run that
/// crashed; and how the run ended, if it ended by itself.
final class SharedChoices: Sendable {
    private struct Header: ~Copyable {
        /// 0 while the run is in progress, then 1; for a controlled run, 2 plus the verdict.
        let ending = Atomic<UInt8>(0)
    }

    private let memory: SharedMemory
    /// The offset of the log, aligned for its content.
    private static let headerSize = 64

    init(capacity: Int) throws(SupervisionFailed) {
        memory = try SharedMemory(
            size: Self.headerSize + ChoiceMemory.size(for: capacity), for: "the schedule")
        memory.bytes.bindMemory(to: Header.self).baseAddress!.initialize(to: Header())
    }

    private var header: UnsafeMutablePointer<Header> {
        memory.bytes.baseAddress!.assumingMemoryBound(to: Header.self)
    }

    var log: ChoiceMemory {
        ChoiceMemory(UnsafeMutableRawBufferPointer(rebasing: memory.bytes[Self.headerSize...]))
    }

    /// Whether the run, and not the program, ended the process.
    var hasEnded: Bool { header.pointee.ending.load(ordering: .acquiring) != 0 }

    /// The scheduler's verdict. Nil if the run has not ended, or ran on real threads.
    var verdict: Verdict? {
        let ending = header.pointee.ending.load(ordering: .acquiring)
        return ending < 2 ? nil : Verdict(rawValue: ending - 2)
    }

    /// The run has paused, and continues.
    func noteContinuation() { header.pointee.ending.store(0, ordering: .releasing) }

    func noteEnd(_ verdict: Verdict? = nil) {
        header.pointee.ending.store(verdict.map { 2 + $0.rawValue } ?? 1, ordering: .releasing)
    }
}
