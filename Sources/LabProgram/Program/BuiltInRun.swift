import LabSyntax

extension Program {
    /// `run producer-consumer(capacity: 1)`.
    package struct BuiltInRun: Sendable {
        package struct Argument: Sendable {
            package enum Value: Sendable {
                /// One of a choice's words.
                case word(String)
                /// A constant.
                case value(Expression)
            }

            package var name: String
            package var value: Value
            package var site: Site
        }

        package var scenario: String
        package var arguments: [Argument]
        package var site: Site
    }
}
