import Execution
import Machine
import Trace

/// What a thread holds while it runs an item of a queue: a base mutex for a serial queue, a read-write lock for a
/// concurrent one, where a barrier writes. So a thread that waits for a queue waits for the thread that runs its item,
/// and a cycle of such waits is a deadlock with names.
final class QueueHold: Sendable {
    private let handle: Handle
    private let isSerial: Bool

    init(_ name: String?, isSerial: Bool, at site: SourceSite) {
        self.isSerial = isSerial
        handle = Handle(isSerial ? .normalMutex : .writersFirstLock, shownAs: .workQueue, name, at: site)
    }

    deinit { handle.discard() }

    /// Waits until the queue is free.
    func take(alone: Bool, at site: SourceSite) throws {
        try handle.perform(isSerial ? .lock : alone ? .writeLock : .readLock, at: site)
    }

    /// Takes it if it is free.
    func tryTake(alone: Bool, at site: SourceSite) throws -> Bool {
        try handle.perform(isSerial ? .tryLock : alone ? .tryWriteLock : .tryReadLock, at: site) != 0
    }

    func give(at site: SourceSite) throws { try handle.perform(isSerial ? .unlock : .unlockShared, at: site) }

    func record(_ kind: EventKind, _ value: Int = 0, at site: SourceSite) { handle.record(kind, value, at: site) }

    var currentThread: ThreadID { handle.currentThread }
}
