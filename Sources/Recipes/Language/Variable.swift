extension Recipe {
    /// What a statement can set.
    package enum Variable: Sendable {
        /// A word of the object, by its number.
        case word(Int)
        /// A variable of the thread's own, for the time of the operation.
        case local(Int)
    }
}
