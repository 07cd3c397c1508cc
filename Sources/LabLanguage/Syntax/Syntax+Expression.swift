extension Syntax {
    struct Expression {
        var kind: Kind
        var span: Span
        /// The sign of an operator, the name of a member: where messages about it point.
        var mark: Span
        /// How high the tree is: bounded, so that whoever walks it need not fear for the stack.
        var height: Int

        indirect enum Kind {
            case integer(Int)
            case boolean(Bool)
            /// In nanoseconds.
            case duration(Int)
            case name(String)
            case index
            case list([Expression])
            case prefix(Prefix, Expression)
            case binary(Binary, Expression, Expression)
            case subscripted(Expression, Expression)
            /// `buffer.count`, and `m.lock()` with its arguments.
            case member(Expression, Name, [Argument]?)
            case call(Name, [Argument])
            case choose([Argument])
        }

        enum Prefix { case minus, not, invert }

        enum Binary {
            case and, or
            case strict(Program.Operator)
        }
    }

    struct Argument {
        var label: Name?
        var value: Expression
    }
}
