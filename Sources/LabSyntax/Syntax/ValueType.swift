/// The type of a value. Whatever the type, a value is one word.
package enum ValueType: Sendable {
    /// 64 bits, with a sign. Overflow ends the run with an error.
    case integer
    /// 0 or 1.
    case boolean
    /// Nanoseconds.
    case duration
}
