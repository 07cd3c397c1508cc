/// The exits of a piece of code, as far as the text shows them without evaluating conditions.
struct Reachability {
    /// Whether its end can be reached.
    var fallsThrough = true
    /// Whether it can leave the loop around it by `break`.
    var leavesLoop = false
    var returns = false

    init(_ block: Program.Block) {
        for statement in block.statements {
            let ways = Reachability(statement)
            leavesLoop = leavesLoop || ways.leavesLoop
            returns = returns || ways.returns
            if !ways.fallsThrough {
                fallsThrough = false
                return
            }
        }
    }

    init(_ statement: Program.Statement) {
        switch statement.kind {
        case .leave: (fallsThrough, leavesLoop) = (false, true)
        case .next: fallsThrough = false
        case .return: (fallsThrough, returns) = (false, true)
        case .branch(let branches, let otherwise):
            fallsThrough = otherwise == nil
            for block in branches.map(\.block) + (otherwise.map { [$0] } ?? []) { join(Reachability(block)) }
        case .loop(while: let condition, let block):
            let inside = Reachability(block)
            (fallsThrough, returns) = (!condition.isTrue || inside.leavesLoop, inside.returns)
        case .count(_, _, _, _, _, let block), .times(_, _, let block): returns = Reachability(block).returns
        case .locked(_, _, let block), .enclosed(_, let block): self = Reachability(block)
        default: break
        }
    }

    private mutating func join(_ other: Reachability) {
        fallsThrough = fallsThrough || other.fallsThrough
        leavesLoop = leavesLoop || other.leavesLoop
        returns = returns || other.returns
    }
}

extension Program.Expression {
    var isTrue: Bool { if case .constant(let value) = kind { value != 0 } else { false } }
}
