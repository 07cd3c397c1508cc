extension Recipe {
    /// What an operation is written with.
    indirect enum Statement: Sendable {
        /// Takes or frees the object's lock. Words are touched only in between.
        case lock, unlock
        /// Frees the lock, waits for a broadcast on a condition, and has the lock again. May end early, as any wait.
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
