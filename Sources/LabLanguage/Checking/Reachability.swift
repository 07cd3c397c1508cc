/// Which places of a body can be reached, as far as the text shows it without working out conditions.
struct Reachability {
    let program: Program

    init(_ program: Program) { self.program = program }

    /// Whether the end of the block can be reached.
    func canFallThrough(_ block: Program.Block) -> Bool {
        block.statements.allSatisfy { canFallThrough($0) }
    }

    func canFallThrough(_ statement: Program.Statement) -> Bool {
        switch statement.kind {
        case .leave, .next, .return: false
        case .branch(let branches, let otherwise):
            branches.contains { canFallThrough($0.block) } || otherwise.map { canFallThrough($0) } ?? true
        case .loop(while: let condition, let block): !condition.isTrue || contains(.leave, block)
        case .locked(_, _, let block), .once(_, let block): canFallThrough(block)
        default: true
        }
    }

    enum Exit { case leave, `return` }

    /// Whether the block has a reachable statement that leaves the loop around it, or the body.
    func contains(_ exit: Exit, _ block: Program.Block) -> Bool {
        for statement in block.statements {
            if contains(exit, statement) { return true }
            if !canFallThrough(statement) { return false }
        }
        return false
    }

    private func contains(_ exit: Exit, _ statement: Program.Statement) -> Bool {
        switch statement.kind {
        case .leave: exit == .leave
        case .return: exit == .return
        case .branch(let branches, let otherwise):
            branches.contains { contains(exit, $0.block) } || otherwise.map { contains(exit, $0) } ?? false
        case .loop(_, let block), .count(_, _, _, _, _, let block), .times(_, _, let block):
            exit == .return && contains(exit, block)
        case .locked(_, _, let block), .once(_, let block): contains(exit, block)
        default: false
        }
    }
}

extension Program.Expression {
    var isTrue: Bool { if case .constant(let value) = kind { value != 0 } else { false } }
}
