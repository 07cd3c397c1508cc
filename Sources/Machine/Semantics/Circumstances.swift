/// What the rules of the primitives read: the present state of a machine, or what is known of an earlier state. They do
/// not read the clock, because only `Rule` decides what a time limit does (`TimedCircumstances`).
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
    /// Whether a wait may still end without a signal.
    var mayWakeSpuriously: Bool { get }
}

/// Circumstances that include time.
package protocol TimedCircumstances: Circumstances {
    /// The virtual clock, in nanoseconds.
    var time: Int { get }
    /// Whether a time limit may pass at any moment, because processors may be arbitrarily slow.
    var mayTimeOut: Bool { get }
}

extension TimedCircumstances {
    /// Whether the time limit has passed, or may pass now.
    @inline(always) package func isLate(_ deadline: Int) -> Bool {
        time >= deadline || (mayTimeOut && deadline != Operation.never)
    }
}

/// What a join or a detach needs to know about its target.
package enum ThreadLife: UInt8, Sendable { case alive, ended, detached, joined }
