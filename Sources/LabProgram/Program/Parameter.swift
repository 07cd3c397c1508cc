import LabSyntax

extension Program {
    /// `parameter capacity = 1 in 1...8`: a value that the command line can set.
    package struct Parameter: Sendable {
        package var name: String
        /// The `///` comment before it.
        package var help: String
        package var type: ValueType
        package var defaultValue: Int
        /// The values that are accepted. Nil: every value of the type.
        package var range: ClosedRange<Int>?
        package var site: Site
    }
}
