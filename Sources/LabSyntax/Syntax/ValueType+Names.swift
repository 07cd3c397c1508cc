extension ValueType {
    /// The name of such a value in messages.
    package var noun: String {
        switch self {
        case .integer: "a number"
        case .boolean: "a truth value"
        case .duration: "a time"
        }
    }

    /// As written.
    package var name: String {
        switch self {
        case .integer: Keyword.int.rawValue
        case .boolean: Keyword.bool.rawValue
        case .duration: Keyword.duration.rawValue
        }
    }
}
