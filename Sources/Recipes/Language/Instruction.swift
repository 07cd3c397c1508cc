extension Recipe {
    /// A statement without others inside, so that following it is a loop over an array. Targets of jumps are places in it.
    package enum Instruction: Sendable {
        case lock, unlock
        case wait(Int)
        case broadcast(Int)
        case set(Variable, Value)
        case jump(Int)
        case jumpUnless(Comparison, Int)
        /// Ends the operation with this value.
        case finish(Value)
    }
}
