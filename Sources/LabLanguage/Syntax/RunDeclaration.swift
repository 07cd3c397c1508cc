extension Syntax {
    /// `run producer-consumer(capacity: 1, variant: conditions)`
    struct RunDeclaration {
        struct Argument {
            enum Value {
                case word(String)
                case expression(Expression)
            }

            var name: Name
            var value: Value
            var valueSpan: Span
        }

        var scenario: Name
        var arguments: [Argument]
    }
}
