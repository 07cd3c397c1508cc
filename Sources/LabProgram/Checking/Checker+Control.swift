import LabSyntax
import Recipes

/// Checks statements with blocks, statements that leave them, and the threads that `spawn`, `join` and `detach` name.
extension Checker {
    mutating func branch(_ branches: [Syntax.Branch], _ otherwise: Syntax.Block?) -> Program.Statement.Kind {
        var checked: [Program.Statement.Branch] = []
        for branch in branches {
            let condition = attempt { checker throws(Refused) in try checker.value(branch.condition, .boolean) }
            let block = check(branch.block)
            if let condition { checked.append(Program.Statement.Branch(condition: condition, block: block)) }
        }
        return .branch(checked, otherwise: otherwise.map { check($0) })
    }

    mutating func loop(_ kind: Syntax.Statement.Kind) throws(Refused) -> Program.Statement.Kind {
        switch kind {
        case .while(let condition, let block):
            let condition = attempt { checker throws(Refused) in try checker.value(condition, .boolean) }
            let checked = loopBody(block)
            guard let condition else { throw refusal() }
            return .loop(while: condition, checked)
        case .for(let name, let bounds, let block): return try counting(name, bounds, block)
        case .repeat(let count, let block):
            let count = attempt { checker throws(Refused) in try checker.value(count, .integer) }
            let slot = body?.newSlot(nil, .integer) ?? 0
            let checked = loopBody(block)
            guard let count else { throw refusal() }
            return .times(count, slot: slot, checked)
        default: throw refusal()
        }
    }

    private mutating func counting(
        _ name: Syntax.Name, _ bounds: Syntax.Bounds, _ block: Syntax.Block
    ) throws(Refused) -> Program.Statement.Kind {
        let lower = attempt { checker throws(Refused) in try checker.value(bounds.lower, .integer) }
        let upper = attempt { checker throws(Refused) in try checker.value(bounds.upper, .integer) }
        // A block for the loop's variable, around the loop's body.
        body?.blocks.append([:])
        let slot = declare(name, .integer, isConstant: true, mayBeUnread: true)
        let bound = body?.newSlot(nil, .integer) ?? 0
        let checked = loopBody(block)
        body?.blocks.removeLast()
        guard let lower, let upper else { throw refusal() }
        return .count(slot: slot, lower: lower, upper: upper, isClosed: bounds.isClosed, bound: bound, checked)
    }

    private mutating func loopBody(_ block: Syntax.Block) -> Program.Block {
        body?.loops += 1
        defer { body?.loops -= 1 }
        return check(block)
    }

    mutating func requireLoop(_ word: String, _ span: Span) throws(Refused) {
        if body?.loops == 0 { throw refuse(RuleProblem.outsideOfLoop(word), at: span) }
    }

    /// Checks a `return`.
    mutating func returned(_ value: Syntax.Expression?, _ span: Span) throws(Refused) -> Program.Statement.Kind {
        switch body?.owner {
        case .function(_, let type?):
            guard let value else { throw refuse(RuleProblem.nothingReturned(type), at: span) }
            return .return(try self.value(value, type))
        case .function: try refuseReturned(value, from: RuleProblem.function)
        case .thread: try refuseReturned(value, from: "a thread")
        case .finally, nil: try refuseReturned(value, from: "'finally'")
        }
        return .return(nil)
    }

    private mutating func refuseReturned(_ value: Syntax.Expression?, from place: String) throws(Refused) {
        if let value { throw refuse(RuleProblem.valueReturned(from: place), at: value.span) }
    }

    mutating func locked(
        _ mode: LockMode, _ expression: Syntax.Expression, _ block: Syntax.Block
    ) throws(Refused) -> Program.Statement.Kind {
        let place = attempt { checker throws(Refused) in
            let place = try checker.place(expression, mode == .mutex ? "mutex" : "read-write lock") { kind in
                switch kind {
                case .mutex: mode == .mutex
                case .readWriteLock: mode != .mutex
                default: false
                }
            }
            return checker.withSlot(place)
        }
        let block = check(block)
        guard let place else { throw refusal() }
        return .locked(place, mode, block)
    }

    mutating func enclosed(
        _ recipe: Recipe, _ expression: Syntax.Expression, _ block: Syntax.Block
    ) throws(Refused) -> Program.Statement.Kind {
        let place = attempt { checker throws(Refused) in
            let place = try checker.place(expression, recipe.word) { $0 == .built(recipe) }
            return checker.withSlot(place)
        }
        let block = check(block)
        guard let place else { throw refusal() }
        return .enclosed(place, block)
    }

    /// Checks the thread that a `spawn`, `join` or `detach` names.
    ///
    /// - Parameter note: records in the usage which of the three statements names the thread with this number.
    mutating func threadPlace(
        _ expression: Syntax.Expression, _ note: (inout Usage, Int) -> Void
    ) throws(Refused) -> Program.ThreadPlace {
        let (name, index) = try nameAndIndex(expression)
        guard let global = globals[name]?.global else {
            throw unknown(name, "thread", at: expression.span) { if case .thread = $0 { true } else { false } }
        }
        guard case .thread(let number) = global else {
            throw refuse(
                NameProblem.wrongThing(name, is: noun(global), wanted: "a thread", hint: nil), at: expression.span)
        }
        usage.used.insert(global)
        note(&usage, number)
        guard let index else { return Program.ThreadPlace(thread: number, index: nil) }
        if program.threads[number].count == nil {
            throw refuse(TypeProblem.subscriptOfSingle(name, kind: "a single thread"), at: index.span)
        }
        return Program.ThreadPlace(thread: number, index: try value(index, .integer))
    }
}
