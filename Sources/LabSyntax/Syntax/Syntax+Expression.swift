extension Syntax {
    package struct Expression {
        package var kind: Kind
        package var span: Span
        /// The sign of an operator or the name of a member, to which messages point.
        package var mark: Span
        /// The height of the tree: bounded, so that walking it cannot overflow the stack.
        package var height: Int

        package indirect enum Kind {
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

        package enum Prefix { case minus, not, invert }

        package enum Binary {
            case and, or
            case strict(Operator)
        }
    }

    package struct Argument {
        package var label: Name?
        package var value: Expression
    }
}
