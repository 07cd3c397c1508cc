extension Syntax {
    /// `specification { shared items = []; func push(value: Int) { items.append(value) } }`: what the program's
    /// functions with these names should do if they are called one at a time. `expect linearizable` compares them with
    /// it.
    package struct SpecificationDeclaration {
        /// Shared variables, and functions.
        package var items: [Item]
        /// The word `specification`.
        package var word: Span
    }
}
