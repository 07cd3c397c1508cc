extension Recipe {
    /// The target of an assignment.
    package enum Variable: Sendable {
        /// A word of the object, by its number.
        case word(Int)
        /// A local variable of the thread, for the duration of the operation.
        case local(Int)
    }
}
