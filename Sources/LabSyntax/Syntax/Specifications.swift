extension Syntax {
    /// `specification { shared items = []; func push(value: Int) { items.append(value) } }`: what functions with these
    /// names do if they are called one at a time.
    package struct SpecificationDeclaration {
        /// Shared variables, and functions.
        package var items: [Item]
        package var word: Span
    }
}
