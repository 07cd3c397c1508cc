extension Syntax {
    /// `func take(amount: Int) -> Bool { … }`
    package struct FunctionDeclaration {
        package struct Parameter {
            package var name: Name
            /// Nil: `Int`.
            package var type: TypeName?
        }

        package var name: Name
        package var parameters: [Parameter]
        package var result: TypeName?
        package var body: Block
    }
}
