extension Recipe {
    /// A statement of an operation.
    indirect enum Statement: Sendable {
        /// Locks or unlocks the object's lock. Words are accessed only in between.
        case lock, unlock
        /// Releases the lock, waits for a broadcast on a condition, and reacquires the lock. May end early, like any
        /// wait.
        case wait(Int)
        case broadcast(Int)
        /// The first value is a variable.
        case set(Value, Value)
        case `if`(Comparison, [Statement])
        case `while`(Comparison, [Statement])
        /// Ends the operation with this value.
        case `return`(Value)
    }
}
