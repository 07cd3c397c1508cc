import LabSyntax

extension Program {
    /// A function. No function calls itself, directly or through others.
    package struct Function: Sendable {
        package var name: String
        /// The types of its parameters, which are the first slots of its body.
        package var parameters: [ValueType]
        /// Nil: it returns nothing.
        package var result: ValueType?
        package var body: Body
        package var site: Site
    }
}
