import LabSyntax

/// Finds out whether every path through a thread's code calls a function, for a task's limit `each adder calls add`. It
/// follows the text, not values: unless constants decide it, an `if` may take either branch, and a loop may not run at
/// all.
struct PathWalk {
    private let evaluator: ConstantEvaluator
    /// The number of the function that must be called.
    private let goal: Int
    /// For each function, whether every call of it that returns has called the goal.
    private var isPassedBy: [Bool]
    /// Whether every path to the current place in the code calls the goal. Nil: no path reaches it.
    private var here: Bool? = false
    /// For each exit, whether every path to it calls the goal, and the place of the `return`. Nil: the end of the code.
    private var exits: [(isPassed: Bool, site: Site?)] = []
    /// For each loop around the current place, the values of `here` at its `break`s.
    private var breaks: [[Bool]] = []
    /// The same at its `continue`s.
    private var nexts: [[Bool]] = []

    init(_ program: Program, _ configuration: Configuration, calls goal: Int) {
        self.goal = goal
        evaluator = ConstantEvaluator(arguments: configuration.arguments)
        isPassedBy = Array(repeating: false, count: program.functions.count)
        for function in CallOrder(program.functions.map { CalledFunctions.of($0.body) }).calleesFirst {
            isPassedBy[function] = missingExit(of: program.functions[function].body) == nil
        }
    }

    /// The first exit that some path reaches without a call of the goal: the place of a `return`, or `.some(nil)` for
    /// the end of the code. Nil: there is no such exit.
    func missingExit(of body: Program.Body) -> Site?? {
        var walk = self
        (walk.here, walk.exits, walk.breaks, walk.nexts) = (false, [], [], [])
        walk.walk(body.block)
        if let end = walk.here { walk.exits.append((end, nil)) }
        return walk.exits.first { !$0.isPassed }.map(\.site)
    }

    private mutating func walk(_ block: Program.Block) {
        for statement in block.statements {
            if here == nil { return }
            walk(statement)
        }
    }

    private mutating func walk(_ statement: Program.Statement) {
        switch statement.kind {
        case .branch(let branches, let otherwise): branch(branches, otherwise)
        case .loop(let condition, let block):
            look(condition)
            let value = constant(condition)
            if value == 0 { return }
            loop(block, runsAtLeastOnce: value != nil, endsByItself: value == nil)
        case .count(_, let lower, let upper, let isClosed, _, let block):
            look(lower)
            look(upper)
            countingLoop(constant(lower), constant(upper), isClosed, block)
        case .times(let count, _, let block):
            look(count)
            countingLoop(0, constant(count), false, block)
        case .leave:
            if let here, !breaks.isEmpty { breaks[breaks.count - 1].append(here) }
            here = nil
        case .next:
            if let here, !nexts.isEmpty { nexts[nexts.count - 1].append(here) }
            here = nil
        case .return(let value):
            if let value { look(value) }
            if let here { exits.append((here, statement.site)) }
            here = nil
        case .locked(_, _, let block):
            for expression in ProgramWalk.rootExpressions(of: statement) { look(expression) }
            walk(block)
        case .enclosed(_, let block):
            // The recipe decides whether this thread runs the block, so calls in it do not count.
            let before = here
            walk(block)
            here = before
        case .assert(let condition, _, _): look(condition)
        case .set, .write, .update, .evaluate, .await, .note, .sleep, .yield, .fence, .progress, .spawn, .join, .detach:
            for expression in ProgramWalk.rootExpressions(of: statement) { look(expression) }
        }
    }

    private mutating func branch(_ branches: [Program.Statement.Branch], _ otherwise: Program.Block?) {
        var ends: [Bool] = []
        for branch in branches {
            look(branch.condition)
            let (before, value) = (here, constant(branch.condition))
            if value != 0 {
                walk(branch.block)
                if let here { ends.append(here) }
            }
            here = value == nil || value == 0 ? before : nil
            if here == nil { break }
        }
        if here != nil, let otherwise { walk(otherwise) }
        if let here { ends.append(here) }
        here = ends.isEmpty ? nil : ends.allSatisfy(\.self)
    }

    /// Follows a loop from a lower to an upper bound. Nil: a bound is not a constant.
    private mutating func countingLoop(_ lower: Int?, _ upper: Int?, _ isClosed: Bool, _ block: Program.Block) {
        guard let lower, let upper else { return loop(block, runsAtLeastOnce: false, endsByItself: true) }
        if lower < upper || isClosed && lower == upper { loop(block, runsAtLeastOnce: true, endsByItself: true) }
    }

    /// - Parameter endsByItself: whether it can end other than by `break`.
    private mutating func loop(_ block: Program.Block, runsAtLeastOnce: Bool, endsByItself: Bool) {
        let before = here
        breaks.append([])
        nexts.append([])
        walk(block)
        let rounds = nexts.removeLast() + (here.map { [$0] } ?? [])
        var ends = breaks.removeLast()
        if endsByItself {
            ends += rounds
            if !runsAtLeastOnce, let before { ends.append(before) }
        }
        here = ends.isEmpty ? nil : ends.allSatisfy(\.self)
    }

    // MARK: - Expressions

    /// Looks for calls in an expression, without the right sides of `&&` and `||`, which may not be evaluated.
    private mutating func look(_ expression: Program.Expression) {
        switch expression.kind {
        case .and(let left, _), .or(let left, _): look(left)
        case .call(let function, let values):
            for value in values { look(value) }
            if function == goal || isPassedBy[function] { here = here.map { _ in true } }
        default: for operand in ProgramWalk.operands(of: expression) { look(operand) }
        }
    }

    /// The value of a constant. Nil: the expression is none, or its value has an error.
    private func constant(_ expression: Program.Expression) -> Int? {
        expression.isConstant ? try? evaluator.value(of: expression) : nil
    }
}
