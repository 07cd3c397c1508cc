extension Syntax {
    /// `thread worker[3] { … }`
    struct ThreadDeclaration {
        var name: Name
        var count: Expression?
        var body: Block
    }
}
