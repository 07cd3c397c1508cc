extension Syntax {
    struct Statement {
        var kind: Kind
        var span: Span

        indirect enum Kind {
            case variable(VariableDeclaration)
            /// With an operator: `+=` and the like.
            case assign(Expression, Program.Operator?, Expression)
            case expression(Expression)
            case `if`([Branch], otherwise: Block?)
            case `while`(Expression, Block)
            case `for`(Name, Bounds, Block)
            case `repeat`(Expression, Block)
            case `break`
            case `continue`
            case `return`(Expression?)
            case locked(Program.Statement.LockMode, Expression, Block)
            case once(Expression, Block)
            case await(Expression)
            case assert(Expression, Text?)
            case note(Text)
            case sleep(Expression)
            case yield
            case spawn(Expression)
            case join(Expression)
            case detach(Expression)
        }
    }

    struct VariableDeclaration {
        var isConstant: Bool
        var name: Name
        var type: TypeName?
        var value: Expression
    }

    struct Branch {
        var condition: Expression
        var block: Block
    }

    /// `"took \(item)"`
    struct Text {
        enum Part {
            case words(String)
            case value(Expression)
        }

        var parts: [Part]
        var span: Span
    }
}
