extension Syntax {
    /// A declaration, or another part of a file outside of threads.
    package enum Item {
        case parameter(ParameterDeclaration)
        case objects(ObjectDeclaration)
        case function(FunctionDeclaration)
        case thread(ThreadDeclaration)
        case finally(Block, Span)
        case run(RunDeclaration)
        case expect(ExpectDeclaration)
    }
}
