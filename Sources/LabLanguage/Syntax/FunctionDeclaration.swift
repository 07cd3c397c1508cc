extension Syntax {
    /// `func take(amount: Int) -> Bool { … }`
    struct FunctionDeclaration {
        struct Parameter {
            var name: Name
            /// Nil: `Int`.
            var type: TypeName?
        }

        var name: Name
        var parameters: [Parameter]
        var result: TypeName?
        var body: Block
    }
}
