/// The words that the rule reads: those of a machine now, or those of an earlier moment as far as they are known.
package protocol Circumstances {
    func object(_ number: UInt32) -> ObjectState
    /// Whether a reader that arrives now gets the read-write lock.
    func letsReadersIn(_ lock: UInt32) -> Bool
    /// Whether the thread holds the read-write lock as a reader.
    func holdsToRead(_ lock: UInt32, _ thread: Int) -> Bool
    /// Whether a thread holds the object, or waits on it.
    func isInUse(_ object: UInt32) -> Bool
    func life(of thread: Int) -> ThreadLife
    /// Whether something that the thread watches has been written.
    func isStirred(_ thread: Int) -> Bool
    /// Whether the time limit has passed, or may have.
    func isLate(_ deadline: Int) -> Bool
    /// Whether a wait may still end without a signal.
    var mayWakeSpuriously: Bool { get }
    /// The virtual clock, in nanoseconds.
    var time: Int { get }
}

/// What a join or a detach wants to know of its target.
package enum ThreadLife: UInt8, Sendable { case alive, ended, detached, joined }
