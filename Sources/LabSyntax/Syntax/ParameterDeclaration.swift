extension Syntax {
    /// `parameter capacity = 1 in 1...8`
    package struct ParameterDeclaration {
        package var name: Name
        package var type: TypeName?
        package var value: Expression
        package var range: Bounds?
        /// The `///` comment before it.
        package var help: [String]
    }

    /// `1...8`, `0..<n`
    package struct Bounds {
        package var lower: Expression
        package var upper: Expression
        package var isClosed: Bool
    }

    /// `Int`, `[Bool]`
    package struct TypeName {
        package var type: ValueType
        package var isList: Bool
        package var span: Span
    }
}
