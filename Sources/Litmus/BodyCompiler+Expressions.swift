import CLitmus
import LabProgram
import LabSyntax
import Machine

/// The code of expressions, whose operands are evaluated from left to right into registers.
extension BodyCompiler {
    /// Evaluates the expression into a register that keeps its value until the end of the statement.
    mutating func value(_ expression: Program.Expression) throws(Diagnostic) -> Register {
        switch expression.kind {
        case .constant(let value): return constant(value)
        case .parameter(let number): return constant(configuration.arguments[number])
        case .index: return constant(index)
        case .slot(let number): return slot(number)
        case .negate, .invert, .not, .absolute, .binary, .and, .or, .read, .equals, .perform, .call, .choose:
            let result = newVariable()
            try evaluate(expression, into: result)
            return result
        }
    }

    /// Evaluates the expression into the register. The register is written last, since the expression may read it.
    mutating func evaluate(_ expression: Program.Expression, into result: Register) throws(Diagnostic) {
        switch expression.kind {
        case .constant, .parameter, .slot, .index: unary(CLITMUS_MOVE, try value(expression), result)
        case .negate(let operand):
            // Subtracts from `a`, which is by default the zero register.
            emit(Instruction(opcode: CLITMUS_SUBTRACT, result: result, b: try value(operand)))
        case .invert(let operand): unary(CLITMUS_INVERT, try value(operand), result)
        case .not(let operand): unary(CLITMUS_NOT, try value(operand), result)
        case .absolute(let operand): unary(CLITMUS_ABSOLUTE, try value(operand), result)
        case .binary(let sign, let left, let right):
            let left = try value(left)
            apply(sign, left, try value(right), result)
        case .and(let left, let right): try shortCircuit(CLITMUS_JUMP_UNLESS, left, right, result)
        case .or(let left, let right): try shortCircuit(CLITMUS_JUMP_IF, left, right, result)
        case .read(let place): load(try cell(place, at: expression.site), into: result)
        case .equals: throw refuse(.objects("lists"), at: expression.site)
        case .perform(let action, let place, let values):
            try perform(action, place, values, into: result, at: expression.site)
        case .call(let function, let values): try call(function, values, into: result, at: expression.site)
        case .choose(let count): unary(CLITMUS_CHOOSE, try value(count), result)
        }
    }

    /// Applies an operator with one operand.
    private mutating func unary(_ opcode: clitmus_opcode, _ operand: Register, _ result: Register) {
        emit(Instruction(opcode: opcode, result: result, a: operand))
    }

    /// Applies an operator to two registers.
    mutating func apply(_ sign: Operator, _ left: Register, _ right: Register, _ result: Register) {
        let (opcode, isSwapped) = sign.instruction
        let (a, b) = isSwapped ? (right, left) : (left, right)
        emit(Instruction(opcode: opcode, result: result, a: a, b: b))
    }

    /// The code of `&&` and `||`. The jump, which skips the right side, is made if the left side decides the result.
    private mutating func shortCircuit(
        _ skip: clitmus_opcode, _ left: Program.Expression, _ right: Program.Expression, _ result: Register
    ) throws(Diagnostic) {
        // A new variable, because the right side may read the result's register.
        let value = newVariable()
        try evaluate(left, into: value)
        let jump = emit(Instruction(opcode: skip, a: value))
        try evaluate(right, into: value)
        land(jump)
        unary(CLITMUS_MOVE, value, result)
    }

    // MARK: - Memory

    /// The cell of a value or a mutex. Unless the subscript is a constant within the bounds, this emits the code that
    /// computes the cell's distance from the array's first.
    mutating func cell(_ place: Program.Place, at site: Site) throws(Diagnostic) -> Cell {
        if let problem = program.objects[place.object].kind.unsupported { throw refuse(problem, at: site) }
        let first = configuration.firstElements[place.object]
        guard let index = place.index else { return Cell(offset: layout.offsets[first]) }
        let count = configuration.elementCounts[place.object]
        if index.isConstant, let value = try? ConstantEvaluator(arguments: configuration.arguments).value(of: index),
            (0..<count).contains(value)
        {
            return Cell(offset: layout.offsets[first + value])
        }
        let subscriptValue = try value(index)
        let distance = newVariable()
        emit(
            Instruction(
                opcode: CLITMUS_ELEMENT, result: distance, a: subscriptValue, stride: layout.strides[place.object],
                place: count))
        return Cell(offset: layout.offsets[first], index: distance)
    }

    mutating func load(_ cell: Cell, into result: Register, _ opcode: clitmus_opcode = CLITMUS_LOAD_RELAXED) {
        emit(Instruction(opcode: opcode, result: result, index: cell.index, place: cell.offset))
    }

    mutating func store(_ value: Register, in cell: Cell, _ opcode: clitmus_opcode = CLITMUS_STORE_RELAXED) {
        emit(Instruction(opcode: opcode, a: value, index: cell.index, place: cell.offset))
    }

    // MARK: - Operations

    private mutating func perform(
        _ action: Program.Action, _ place: Program.Place, _ values: [Program.Expression], into result: Register,
        at site: Site
    ) throws(Diagnostic) {
        if case .operation(_, isTimed: true, _) = action { throw refuse(.timeLimit, at: site) }
        let cell = try cell(place, at: site)
        var operands: [Register] = []
        for value in values { operands.append(try self.value(value)) }
        let orders = AtomicOrders(of: action)
        switch action.kind?.row.graph {
        case .load: load(cell, into: result, orders.load)
        case .store: store(operands[0], in: cell, orders.store)
        case .loadToUpdate where action.kind?.change.opcode != nil:
            update(action.kind!.change.opcode!, cell, operands, orders, result)
        case .loadToUpdate where action.kind == .lock: lock(cell)
        case .loadToUpdate where action.kind == .tryLock:
            emit(Instruction(opcode: CLITMUS_TRY_LOCK, result: result, index: cell.index, place: cell.offset))
        case .loadToUpdate where action.kind == .unlock: unlock(cell)
        // Operations on unsupported objects, which `cell` has refused above.
        case .loadToUpdate, .storeOfUpdate, .start, .fence, .read, .write, .lock, .unlock, .sync, .spawn, .join,
            .choose,
            .other, nil:
            throw refuse(.objects("this operation"), at: site)
        }
    }

    private mutating func update(
        _ opcode: clitmus_opcode, _ cell: Cell, _ operands: [Register], _ orders: AtomicOrders, _ result: Register
    ) {
        emit(
            Instruction(
                opcode: opcode, result: result, a: operands[0], b: operands.count > 1 ? operands[1] : .zero,
                index: cell.index, place: cell.offset, order: orders.order, failureOrder: orders.failureOrder))
    }

    /// Tries to lock the mutex until that succeeds. The runner detects a deadlock in it, as in an `await`.
    mutating func lock(_ cell: Cell) {
        let isTaken = newVariable()
        let again = emit(
            Instruction(opcode: CLITMUS_TRY_LOCK, result: isTaken, index: cell.index, place: cell.offset))
        emit(Instruction(opcode: CLITMUS_AWAIT, a: isTaken, place: again))
    }

    mutating func unlock(_ cell: Cell) {
        emit(Instruction(opcode: CLITMUS_UNLOCK, index: cell.index, place: cell.offset))
    }
}

extension Memory.Change {
    /// The instruction that changes an atomic in this way. Nil: there is none, because nothing changes.
    fileprivate var opcode: clitmus_opcode? {
        switch self {
        case .none: nil
        case .store: CLITMUS_EXCHANGE
        case .add: CLITMUS_FETCH_ADD
        case .bitAnd: CLITMUS_FETCH_AND
        case .bitOr: CLITMUS_FETCH_OR
        case .bitXor: CLITMUS_FETCH_XOR
        case .compareExchange: CLITMUS_COMPARE_EXCHANGE
        }
    }
}
