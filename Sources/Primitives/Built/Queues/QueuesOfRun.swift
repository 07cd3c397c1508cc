import Execution
import Machine
import Synchronization
import Trace

/// What the queues of a run share: which of them each thread is running a block of, and what has to be dropped when the
/// run is over, since a block that was never run may refer to its own queue.
final class QueuesOfRun: RunBound, @unchecked Sendable {
    /// By thread. A thread uses its own entry only.
    private let held: UnsafeMutablePointer<HeldQueues>
    private static let count = MachineState.maximumThreads
    private let parts = Synchronization.Mutex<[Part]>([])

    private struct Part {
        weak let object: (any RunBound)?
    }

    private init() {
        held = .allocate(capacity: Self.count)
        held.initialize(repeating: HeldQueues(), count: Self.count)
    }

    deinit {
        for thread in 0..<Self.count { held[thread].free() }
        held.deallocate()
    }

    /// Those of the caller's run.
    static var current: QueuesOfRun {
        let queues = ThreadContext.runtime.with { $0.knownSlots }.queues { QueuesOfRun() }
        return unsafeDowncast(queues, to: QueuesOfRun.self)
    }

    func add(_ part: any RunBound) { parts.withLock { $0.append(Part(object: part)) } }

    func runHasEnded() {
        for thread in 0..<Self.count { held[thread].removeAll() }
        let ending = parts.withLock { parts in
            defer { parts = [] }
            return parts
        }
        for part in ending { part.object?.runHasEnded() }
    }

    // MARK: - What threads run

    /// - Returns: the thread's entry, where the level can be popped.
    @inline(__always) @discardableResult
    func push(_ level: QueueLevel, for thread: ThreadID) -> UnsafeMutablePointer<HeldQueues> {
        let entry = held + Int(thread.index)
        entry.pointee.push(level)
        return entry
    }
    func innermost(of thread: ThreadID) -> QueueLevel? { held[Int(thread.index)].innermost }

    /// Whether the thread runs a block of the queue, or of one that targets it.
    func contain(_ level: QueueLevel, for thread: ThreadID) -> Bool {
        held[Int(thread.index)].contains { $0.contains { $0 === level } }
    }
}
