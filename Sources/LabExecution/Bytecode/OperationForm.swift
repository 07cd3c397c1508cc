import Machine

/// How an instruction forms an operation of the machine from the values on the stack.
struct OperationForm {
    enum Arguments: UInt8 {
        case none
        /// One value, the first argument.
        case value
        case twoValues
        /// A duration, after which a deadline passes.
        case timeout
        /// A duration to sleep.
        case sleep
    }

    var kind: Operation.Kind
    var arguments = Arguments.none
    /// Whether the object's number is on the stack, below the arguments.
    var hasObjectOnStack = false
    /// Whether the result is pushed.
    var hasResult = false
    /// A read in an `await`.
    var isWatching = false
    /// The first argument, if none comes from the stack: a condition's mutex.
    var fixed = 0
}
