import Execution
import Machine
import Synchronization
import Trace

/// What the queues of a run share: which of them each thread is running a block of, and what has to be dropped when the
/// run is over, since a block that was never run may refer to its own queue.
final class QueuesOfRun: RunBound, @unchecked Sendable {
    /// The innermost queue last. A thread uses its own entry only. Not counted: the caller of a block keeps its queue.
    private let stacks: UnsafeMutablePointer<ContiguousArray<Unmanaged<QueueLevel>>>
    private static let count = MachineState.maximumThreads
    private let parts = Synchronization.Mutex<[Part]>([])

    private struct Part {
        weak let object: (any RunBound)?
    }

    private init() {
        stacks = .allocate(capacity: Self.count)
        stacks.initialize(repeating: [], count: Self.count)
    }

    deinit {
        stacks.deinitialize(count: Self.count)
        stacks.deallocate()
    }

    /// Those of the caller's run.
    static var current: QueuesOfRun {
        let queues = ThreadContext.runtime.with { $0.knownSlots }.queues { QueuesOfRun() }
        return unsafeDowncast(queues, to: QueuesOfRun.self)
    }

    func add(_ part: any RunBound) { parts.withLock { $0.append(Part(object: part)) } }

    func runHasEnded() {
        stacks.update(repeating: [], count: Self.count)
        let ending = parts.withLock { parts in
            defer { parts = [] }
            return parts
        }
        for part in ending { part.object?.runHasEnded() }
    }

    // MARK: - What threads run

    func push(_ level: QueueLevel, for thread: ThreadID) {
        stacks[Int(thread.index)].append(.passUnretained(level))
    }

    func pop(for thread: ThreadID) { stacks[Int(thread.index)].removeLast() }

    func innermost(of thread: ThreadID) -> QueueLevel? {
        stacks[Int(thread.index)].last?.takeUnretainedValue()
    }

    /// Whether the thread runs a block of the queue, or of one that targets it.
    func contain(_ level: QueueLevel, for thread: ThreadID) -> Bool {
        stacks[Int(thread.index)].contains { $0.takeUnretainedValue().contains { $0 === level } }
    }
}
