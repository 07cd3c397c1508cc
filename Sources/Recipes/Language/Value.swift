extension Recipe {
    package indirect enum Value: Sendable, ExpressibleByIntegerLiteral {
        case constant(Int)
        /// The number that the object was created with.
        case number
        case variable(Variable)
        case sum(Value, Value)
        case difference(Value, Value)

        package init(integerLiteral value: Int) { self = .constant(value) }

        static func word(_ number: Int) -> Self { .variable(.word(number)) }
        static func local(_ number: Int) -> Self { .variable(.local(number)) }

        static func + (a: Self, b: Self) -> Self { .sum(a, b) }
        static func - (a: Self, b: Self) -> Self { .difference(a, b) }
        static func == (a: Self, b: Self) -> Comparison { .equal(a, b) }
        static func < (a: Self, b: Self) -> Comparison { .less(a, b) }

        var variables: [Variable] {
            switch self {
            case .constant, .number: []
            case .variable(let variable): [variable]
            case .sum(let a, let b), .difference(let a, let b): a.variables + b.variables
            }
        }
    }
}
