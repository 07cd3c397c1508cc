/// A set of kinds of operations, in one word: what an operation's gate is follows from its kind.
struct GateKinds {
    private let bits: UInt64

    /// Constant expressions, so that nothing is computed when the set is used.
    @inline(always) private init(_ bits: UInt64) { self.bits = bits }

    @inline(always) private static func bit(_ kind: Operation.Kind) -> UInt64 { 1 &<< UInt64(kind.rawValue) }

    @inline(always) func contains(_ kind: Operation.Kind) -> Bool {
        bits &>> UInt64(truncatingIfNeeded: kind.rawValue) & 1 != 0
    }

    /// Those that need the object to be free, and nothing else.
    static var object: GateKinds {
        @inline(always) get { GateKinds(bit(.lock) | bit(.semaphoreWait)) }
    }

    /// Those whose gate depends on more.
    static var far: GateKinds {
        @inline(always) get {
            GateKinds(
                bit(.join) | bit(.lockUntil) | bit(.semaphoreWaitUntil) | bit(.readLock) | bit(.readLockUntil)
                    | bit(.writeLock) | bit(.writeLockUntil) | bit(.joinUntil) | bit(.sleepUntil))
        }
    }
}
