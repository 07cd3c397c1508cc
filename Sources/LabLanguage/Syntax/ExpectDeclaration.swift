import Trace

extension Syntax {
    /// `expect race, assertion`; `expect under weak sometimes r0 == 0`
    struct ExpectDeclaration {
        enum Kind {
            case completes
            case findings([OutcomeKind])
            case always(Expression)
            case never(Expression)
            case sometimes(Expression)
            case outcomes([Expression])
        }

        var kind: Kind
        var model: Program.Expectation.Model?
        /// What follows the word `expect`.
        var span: Span
    }
}
