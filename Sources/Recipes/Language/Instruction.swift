extension Recipe {
    /// A statement without nested statements, so that interpreting is a loop over an array. Jump targets are indices in
    /// it.
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
