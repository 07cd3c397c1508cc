extension Syntax {
    /// `run producer-consumer(capacity: 1, variant: conditions)`
    package struct RunDeclaration {
        package struct Argument {
            package enum Value {
                case word(String)
                case expression(Expression)
            }

            package var name: Name
            package var value: Value
            package var valueSpan: Span
        }

        package var scenario: Name
        package var arguments: [Argument]
    }
}
