extension Syntax {
    /// `parameter capacity = 1 in 1...8`
    struct ParameterDeclaration {
        var name: Name
        var type: TypeName?
        var value: Expression
        var range: Bounds?
        /// The `///` comment before it.
        var help: [String]
    }

    /// `1...8`, `0..<n`
    struct Bounds {
        var lower: Expression
        var upper: Expression
        var isClosed: Bool
    }

    /// `Int`, `[Bool]`
    struct TypeName {
        var type: Program.ValueType
        var isList: Bool
        var span: Span
    }
}
