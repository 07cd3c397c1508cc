import Execution
import Machine
import Trace

/// The queues whose blocks each thread of the run is running, the innermost last. A thread uses its own only.
final class QueueStacks: @unchecked Sendable {
    private let stacks: UnsafeMutablePointer<[QueueLevel]>
    private static let count = MachineState.maximumThreads

    private init() {
        stacks = .allocate(capacity: Self.count)
        stacks.initialize(repeating: [], count: Self.count)
    }

    deinit {
        stacks.deinitialize(count: Self.count)
        stacks.deallocate()
    }

    /// Those of the caller's run.
    static var current: QueueStacks {
        let stacks = ThreadContext.runtime.with { $0.knownSlots }.queueStacks { QueueStacks() }
        return unsafeDowncast(stacks, to: QueueStacks.self)
    }

    func push(_ level: QueueLevel, for thread: ThreadID) { stacks[Int(thread.index)].append(level) }
    func pop(for thread: ThreadID) { stacks[Int(thread.index)].removeLast() }
    func innermost(of thread: ThreadID) -> QueueLevel? { stacks[Int(thread.index)].last }

    /// Whether the thread runs a block of the queue, or of one that targets it.
    func contain(_ level: QueueLevel, for thread: ThreadID) -> Bool {
        stacks[Int(thread.index)].contains { $0.contains { $0 === level } }
    }
}
