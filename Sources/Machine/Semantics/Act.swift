/// What a step does, once it is settled which of the things that its operation can come to it is. The rule says which (`Rule`).
///
/// Everything that depends on what a step does reads it from its act: how words change, what the step touches, what it puts in order,
/// and which event it leaves.
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

    /// What it wanted was not to be had; and the same when its time limit has passed.
    case fail, failLate
    /// The same for a writer, whose attempts do not commute with those of readers.
    case failToWrite, failToWriteLate
    /// The operation is misused. The ruling's value says how.
    case misuse
}
