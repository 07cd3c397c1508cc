import Execution
import Glibc
import Machine
import Synchronization

/// Zeroed memory shared with forked processes. A page uses no memory before it is touched.
package final class SharedMemory: @unchecked Sendable {
    package let bytes: UnsafeMutableRawBufferPointer

    /// - Parameter purpose: what the memory is for, for error messages.
    package init(size: Int, for purpose: String) throws(SupervisionFailed) {
        let address = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let address, address != MAP_FAILED else {
            throw SupervisionFailed("cannot allocate memory for \(purpose): \(String(cString: strerror(errno)))")
        }
        bytes = UnsafeMutableRawBufferPointer(start: address, count: size)
    }

    deinit { munmap(bytes.baseAddress, bytes.count) }
}

/// Memory in which a child logs the choices of its run, so that the parent knows the schedule even if the run crashes.
/// Also says how the run ended, if it ended by itself.
final class SharedChoices: Sendable {
    private struct Header: ~Copyable {
        /// 0 during the run. Then `endOfNativeRun`, or for a controlled run `firstVerdict` plus the verdict.
        let ending = Atomic<UInt8>(0)
    }

    private static let endOfNativeRun: UInt8 = 1
    private static let firstVerdict: UInt8 = 2

    private let memory: SharedMemory
    /// The size of the header before the log, which must be aligned.
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

    /// Whether the run ended by itself. If not, it is still in progress, or its process was ended.
    var hasEnded: Bool { header.pointee.ending.load(ordering: .acquiring) != 0 }

    /// The scheduler's verdict. Nil if the run has not ended, or ran on real threads.
    var verdict: Verdict? {
        let ending = header.pointee.ending.load(ordering: .acquiring)
        return ending < Self.firstVerdict ? nil : Verdict(rawValue: ending - Self.firstVerdict)
    }

    /// Notes that the run continues after a pause, which `noteEnd` had noted as its end.
    func noteContinuation() { header.pointee.ending.store(0, ordering: .releasing) }

    /// Notes that the run has ended by itself.
    ///
    /// - Parameter verdict: the scheduler's verdict. Nil: the run was on real threads.
    func noteEnd(_ verdict: Verdict? = nil) {
        let ending = verdict.map { Self.firstVerdict + $0.rawValue } ?? Self.endOfNativeRun
        header.pointee.ending.store(ending, ordering: .releasing)
    }
}
