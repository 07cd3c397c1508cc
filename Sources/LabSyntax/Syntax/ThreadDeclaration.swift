extension Syntax {
    /// `thread worker[3] { … }`
    package struct ThreadDeclaration {
        package var name: Name
        package var count: Expression?
        package var body: Block
    }
}
