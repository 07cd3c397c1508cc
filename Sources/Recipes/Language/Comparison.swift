extension Recipe {
    package enum Comparison: Sendable {
        case equal(Value, Value)
        case less(Value, Value)

        var variables: [Variable] {
            switch self {
            case .equal(let a, let b), .less(let a, let b): a.variables + b.variables
            }
        }
    }
}
