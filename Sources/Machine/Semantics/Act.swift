/// What a step does: which of the possible effects of its operation occurs. The rule decides which (`Rule`).
///
/// Everything that depends on what a step does reads it from its act: how words change, what the step touches, what it
/// orders, and which event it records.
package enum Act: UInt8, Sendable, BitwiseCopyable {
    // Alone
    case start, exit, inspect, yield, choose, awake, readClock

    // Threads
    case spawn, join, detach
    /// The thread has not ended; or its time limit has passed.
    case findAlive, joinLate

    // Mutexes
    case take, takeAgain, release

    // Conditions
    case beginWait
    /// The wait is over, by its time limit or spuriously; the mutex is still to be taken.
    case leaveLate, leaveEarly
    /// The mutex is taken again.
    case endWait
    case signalNone, wakeOne, wakeAll

    // Semaphores
    case takePermit, givePermit

    // Read-write locks
    case share, unshare, takeToWrite, releaseToWrite
    /// The writer waits in the queue, and readers that arrive later wait behind it.
    case queue

    // Memory
    case read, write, load, store, update, mismatch, look, append

    case destroy

    /// What it asked for is not available; and the same after its time limit has passed.
    case fail, failLate
    /// The same for a writer, whose attempts do not commute with those of readers.
    case failToWrite, failToWriteLate
    /// The operation is a misuse. The ruling's value is its kind.
    case misuse
}
