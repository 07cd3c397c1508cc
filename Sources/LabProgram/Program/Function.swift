import LabSyntax

extension Program {
    /// A function. No function calls itself, directly or through others.
    package struct Function: Sendable {
        package struct Parameter: Sendable {
            /// Also its label in calls.
            package var name: String
            package var type: ValueType
        }

        package var name: String
        /// They are the first slots of its body.
        package var parameters: [Parameter]
        /// Nil: it returns nothing.
        package var result: ValueType?
        package var body: Body
        package var site: Site
    }
}
