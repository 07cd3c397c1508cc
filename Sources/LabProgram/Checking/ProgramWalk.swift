import LabSyntax

/// Visits the parts of typed code.
package enum ProgramWalk {
    /// Every statement of a block, including nested ones, in the order of the text.
    package static func statements(_ block: Program.Block, _ visit: (Program.Statement) -> Void) {
        for statement in block.statements {
            visit(statement)
            for inner in blocks(of: statement) { statements(inner, visit) }
        }
    }

    /// The blocks directly inside a statement.
    static func blocks(of statement: Program.Statement) -> [Program.Block] {
        switch statement.kind {
        case .branch(let branches, let otherwise): branches.map(\.block) + (otherwise.map { [$0] } ?? [])
        case .loop(_, let block), .count(_, _, _, _, _, let block), .times(_, _, let block), .locked(_, _, let block),
            .enclosed(_, let block):
            [block]
        default: []
        }
    }

    /// Every expression of a statement, without its blocks; operands come before their operations.
    package static func expressions(of statement: Program.Statement, _ visit: (Program.Expression) -> Void) {
        for root in roots(of: statement) { expressions(root, visit) }
    }

    package static func expressions(_ root: Program.Expression, _ visit: (Program.Expression) -> Void) {
        for operand in operands(of: root) { expressions(operand, visit) }
        visit(root)
    }

    static func operands(of expression: Program.Expression) -> [Program.Expression] {
        switch expression.kind {
        case .constant, .parameter, .slot, .index: []
        case .negate(let operand), .invert(let operand), .not(let operand), .choose(let operand): [operand]
        case .binary(_, let left, let right), .and(let left, let right), .or(let left, let right): [left, right]
        case .read(let place): index(of: place)
        case .equals(_, let values): values
        case .perform(_, let place, let values): index(of: place) + values
        case .call(_, let values): values
        }
    }

    private static func index(of place: Program.Place) -> [Program.Expression] { place.index.map { [$0] } ?? [] }

    private static func roots(of statement: Program.Statement) -> [Program.Expression] {
        switch statement.kind {
        case .set(_, let value), .evaluate(let value), .await(let value), .sleep(let value): [value]
        case .write(let place, let value), .update(let place, _, let value): index(of: place) + [value]
        case .branch(let branches, _): branches.map(\.condition)
        case .loop(let condition, _): [condition]
        case .count(_, let lower, let upper, _, _, _): [lower, upper]
        case .times(let count, _, _): [count]
        case .return(let value): value.map { [$0] } ?? []
        case .locked(let place, _, _), .enclosed(let place, _): index(of: place)
        case .assert(let condition, let text, _): [condition] + values(text)
        case .note(let text): values(text)
        case .spawn(let thread), .join(let thread), .detach(let thread): thread.index.map { [$0] } ?? []
        case .leave, .next, .yield, .progress: []
        }
    }

    private static func values(_ text: Program.Text?) -> [Program.Expression] {
        (text?.parts ?? []).compactMap { if case .value(let value) = $0 { value } else { nil } }
    }
}
