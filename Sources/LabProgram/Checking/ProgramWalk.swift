import LabSyntax

/// Visits the statements and expressions of a checked program.
package enum ProgramWalk {
    /// Visits every statement of a block, including nested ones, in the order of the text.
    package static func statements(_ block: Program.Block, _ visit: (Program.Statement) -> Void) {
        for statement in block.statements {
            visit(statement)
            for inner in blocks(of: statement) { statements(inner, visit) }
        }
    }

    /// The statement's direct blocks.
    static func blocks(of statement: Program.Statement) -> [Program.Block] {
        switch statement.kind {
        case .branch(let branches, let otherwise): branches.map(\.block) + (otherwise.map { [$0] } ?? [])
        case .loop(_, let block), .count(_, _, _, _, _, let block), .times(_, _, let block), .locked(_, _, let block),
            .enclosed(_, let block):
            [block]
        default: []
        }
    }

    /// Visits every expression of a statement, without its blocks. Operands come before their operations.
    package static func expressions(of statement: Program.Statement, _ visit: (Program.Expression) -> Void) {
        for root in rootExpressions(of: statement) { expressions(root, visit) }
    }

    /// Visits an expression after all its operands.
    package static func expressions(_ root: Program.Expression, _ visit: (Program.Expression) -> Void) {
        for operand in operands(of: root) { expressions(operand, visit) }
        visit(root)
    }

    static func operands(of expression: Program.Expression) -> [Program.Expression] {
        switch expression.kind {
        case .constant, .parameter, .slot, .index: []
        case .negate(let operand), .invert(let operand), .not(let operand), .absolute(let operand),
            .choose(let operand):
            [operand]
        case .binary(_, let left, let right), .and(let left, let right), .or(let left, let right): [left, right]
        case .read(let place): index(of: place)
        case .equals(_, let values): values
        case .perform(_, let place, let values): index(of: place) + values
        case .call(_, let values): values
        }
    }

    private static func index(of place: Program.Place) -> [Program.Expression] { place.index.map { [$0] } ?? [] }

    /// The expressions of a statement that are not operands of others, without its blocks.
    static func rootExpressions(of statement: Program.Statement) -> [Program.Expression] {
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
        case .leave, .next, .yield, .progress, .fence: []
        }
    }

    private static func values(_ text: Program.Text?) -> [Program.Expression] {
        (text?.parts ?? []).compactMap { if case .value(let value) = $0 { value } else { nil } }
    }
}

/// The ways in which the execution of a piece of code can end, as far as the text shows. Every condition may be true or
/// false, except the `true` of `while true`.
struct Reachability {
    /// Whether its end can be reached.
    var fallsThrough = true
    /// Whether it can leave the enclosing loop by `break`.
    var leavesLoop = false
    /// Whether it can return from the function or thread.
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
        case .locked(_, _, let block): self = Reachability(block)
        case .enclosed(_, let block):
            // The recipe decides whether this thread runs the block.
            self = Reachability(block)
            fallsThrough = true
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
    /// Whether it is the literal `true`.
    var isTrue: Bool { if case .constant(let value) = kind { value != 0 } else { false } }
}

/// The functions that a body calls directly.
enum CalledFunctions {
    static func of(_ body: Program.Body) -> Set<Int> {
        var found: Set<Int> = []
        ProgramWalk.statements(body.block) { statement in
            ProgramWalk.expressions(of: statement) { expression in
                if case .call(let function, _) = expression.kind { found.insert(function) }
            }
        }
        return found
    }
}

/// An order of functions in which every function comes after those that it calls, except in recursion.
struct CallOrder {
    /// The numbers of all functions, in this order.
    private(set) var calleesFirst: [Int] = []
    /// Recursive functions: each of a cycle calls the next one, and the last one calls the first.
    private(set) var cycles: [[Int]] = []

    /// What the search has done with a function. Open: it is visiting the functions that this one calls.
    private enum Mark { case new, open, done }

    /// - Parameter callees: for each function, the functions that it calls.
    init(_ callees: [Set<Int>]) {
        var marks = [Mark](repeating: .new, count: callees.count)
        for function in callees.indices {
            var path: [Int] = []
            visit(function, callees, &marks, &path)
        }
    }

    /// The recursion is at most as deep as the number of functions, which is limited.
    private mutating func visit(_ function: Int, _ callees: [Set<Int>], _ marks: inout [Mark], _ path: inout [Int]) {
        switch marks[function] {
        case .done: return
        case .open:
            if let start = path.firstIndex(of: function) { cycles.append(Array(path[start...])) }
            return
        case .new: break
        }
        marks[function] = .open
        path.append(function)
        for callee in callees[function].sorted() { visit(callee, callees, &marks, &path) }
        path.removeLast()
        marks[function] = .done
        calleesFirst.append(function)
    }
}
