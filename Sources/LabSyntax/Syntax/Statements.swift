import Recipes

// Statements in the syntax tree.

extension Syntax {
    package struct Statement {
        package var kind: Kind
        package var span: Span

        package indirect enum Kind {
            case variable(VariableDeclaration)
            /// The target, the operator of a compound assignment such as `+=`, and the value.
            case assign(Expression, Operator?, Expression)
            case expression(Expression)
            case `if`([Branch], otherwise: Block?)
            case `while`(Expression, Block)
            case `for`(Name, Bounds, Block)
            case `repeat`(Expression, Block)
            case `break`
            case `continue`
            case `return`(Expression?)
            /// `lock m { … }`, `reading r { … }`, `writing r { … }`
            case locked(LockMode, Expression, Block)
            /// `once o { … }`: a block that belongs to a built object.
            case enclosed(Recipe, Expression, Block)
            case await(Expression)
            case assert(Expression, Interpolation?)
            case note(Interpolation)
            case sleep(Expression)
            case yield
            /// Marks the place where a loop has done what it is for.
            case progress
            case spawn(Expression)
            case join(Expression)
            case detach(Expression)
        }
    }

    package struct VariableDeclaration {
        package var isConstant: Bool
        package var name: Name
        package var type: TypeName?
        package var value: Expression
    }

    package struct Branch {
        package var condition: Expression
        package var block: Block
    }

    /// A string literal with values in it: `"took \(item)"`
    package struct Interpolation {
        package enum Piece {
            case words(String)
            case value(Expression)
        }

        package var parts: [Piece]
        package var span: Span
    }
}

package enum LockMode: Sendable { case mutex, reading, writing }
