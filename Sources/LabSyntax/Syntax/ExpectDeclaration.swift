extension Syntax {
    /// `invariant inside <= 1`; `expect race, assertion`; `expect under weak sometimes r0 == 0`; `expect broken always x == 1`
    package struct ExpectDeclaration {
        package enum Kind {
            case completes
            /// The words for the ways in which a run may end. The checker interprets them.
            case findings([Name])
            /// The words for what some runs show. The checker interprets them.
            case warnings([Name])
            case always(Expression)
            case never(Expression)
            case sometimes(Expression)
            case eventually(Expression)
            case invariant(Expression)
            case outcomes([Expression])
        }

        package var kind: Kind
        /// Whether some run shows that the claim does not hold.
        package var isBroken = false
        package var model: MemoryModel?
        /// What follows the word `expect` or `invariant`.
        package var span: Span
    }
}
