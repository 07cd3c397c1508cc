import LabSyntax

extension Program {
    package struct Expression: Sendable {
        package var kind: Kind
        /// Nil: it has no value, and is only allowed where it is evaluated for its effect.
        package var type: ValueType?
        package var site: Site

        package init(kind: Kind, type: ValueType?, site: Site) {
            self.kind = kind
            self.type = type
            self.site = site
        }

        /// Operands are evaluated from left to right.
        package indirect enum Kind: Sendable {
            case constant(Int)
            /// Its number in `Program.parameters`. A constant of the run.
            case parameter(Int)
            /// A variable of the body.
            case slot(Int)
            /// The thread's number in its array.
            case index
            case negate(Expression)
            case invert(Expression)
            case not(Expression)
            case binary(Operator, Expression, Expression)
            /// The second operand is evaluated only if the first one does not determine the result.
            case and(Expression, Expression)
            case or(Expression, Expression)
            /// A read of a cell, of an element of an array or of a list: one step.
            case read(Place)
            /// Whether the list equals these values, which are evaluated first: one read.
            case equals(list: Int, [Expression])
            /// An operation on an object, one step: subscript, arguments, operation.
            case perform(Action, Place, [Expression])
            case call(function: Int, [Expression])
            /// A number from 0 to n − 1: one choice of the schedule.
            case choose(Expression)
        }
    }
}
