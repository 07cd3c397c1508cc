import CLitmus
import LabProgram
import LabSyntax

/// The code of statements. A round is one execution of the whole program, so one repetition of a loop is called a turn.
extension BodyCompiler {
    mutating func statement(_ statement: Program.Statement) throws(Diagnostic) {
        let site = statement.site
        switch statement.kind {
        case .set(let number, let value): try evaluate(value, into: slot(number))
        case .write(let place, let value):
            let cell = try cell(place, at: site)
            store(try self.value(value), in: cell)
        case .update(let place, let sign, let value): try update(place, sign, value, at: site)
        case .evaluate(let value): try evaluate(value, into: newVariable())
        case .branch(let branches, let otherwise): try branch(branches, otherwise)
        case .loop(let condition, let body): try loop(while: condition, body)
        case .count(let number, let lower, let upper, let isClosed, let bound, let body):
            try evaluate(lower, into: slot(number))
            try evaluate(upper, into: slot(bound))
            try loop(from: slot(number), to: slot(bound), isClosed: isClosed, body)
        case .times(let count, let number, let body):
            try evaluate(count, into: slot(number))
            try loop(times: slot(number), body)
        case .leave:
            let jump = leaveTurn()
            loops[loops.count - 1].leaving.append(jump)
        case .next:
            let jump = leaveTurn()
            loops[loops.count - 1].next.append(jump)
        case .return(let value): try leaveBody(value)
        case .locked(let place, _, let block): try locked(place, block, at: site)
        case .enclosed(let place, _): _ = try cell(place, at: site)  // throws: built objects are not supported
        case .await(let condition):
            let again = here
            emit(Instruction(opcode: CLITMUS_AWAIT, a: try value(condition), place: again))
        case .assert(let condition, _, _):
            let holds = emit(Instruction(opcode: CLITMUS_JUMP_IF, a: try value(condition)))
            end(CLITMUS_ASSERTION)
            land(holds)
        case .note(let text):
            // A litmus run shows no notes, but evaluating the values can have effects.
            for case .value(let value) in text.parts { _ = try self.value(value) }
        case .fence(let order): emit(Instruction(opcode: CLITMUS_FENCE, order: order.native))
        case .sleep: throw refuse(.statement("sleep"), at: site)
        case .spawn: throw refuse(.statement("spawn"), at: site)
        case .join: throw refuse(.statement("join"), at: site)
        case .detach: throw refuse(.statement("detach"), at: site)
        case .yield, .progress: break
        }
    }

    private mutating func update(
        _ place: Program.Place, _ sign: Operator, _ value: Program.Expression, at site: Site
    ) throws(Diagnostic) {
        let cell = try cell(place, at: site)
        let old = newVariable()
        load(cell, into: old)
        apply(sign, old, try self.value(value), old)
        store(old, in: cell)
    }

    private mutating func locked(
        _ place: Program.Place, _ block: Program.Block, at site: Site
    ) throws(Diagnostic) {
        let cell = try cell(place, at: site)
        lock(cell)
        held.append(cell)
        try self.block(block)
        held.removeLast()
        unlock(cell)
    }

    // MARK: - Branches and loops

    private mutating func jumpUnless(_ condition: Program.Expression) throws(Diagnostic) -> Int {
        emit(Instruction(opcode: CLITMUS_JUMP_UNLESS, a: try value(condition)))
    }

    private mutating func branch(
        _ branches: [Program.Statement.Branch], _ otherwise: Program.Block?
    ) throws(Diagnostic) {
        var ends: [Int] = []
        for branch in branches {
            let next = try jumpUnless(branch.condition)
            try block(branch.block)
            ends.append(jump())
            land(next)
        }
        if let otherwise { try block(otherwise) }
        land(ends)
    }

    private mutating func loop(while condition: Program.Expression, _ body: Program.Block) throws(Diagnostic) {
        let again = here
        let end = try jumpUnless(condition)
        try turns(body, again) { _ in }
        finishLoop(end)
    }

    private mutating func loop(
        from counter: Register, to bound: Register, isClosed: Bool, _ body: Program.Block
    ) throws(Diagnostic) {
        let one = constant(1)
        let test = newVariable()
        let again = here
        apply(isClosed ? .lessOrEqual : .less, counter, bound, test)
        let end = emit(Instruction(opcode: CLITMUS_JUMP_UNLESS, a: test))
        var last: [Int] = []
        try turns(body, again) { compiler in
            // A closed range may end at the largest number, which cannot be incremented.
            if isClosed {
                compiler.apply(.less, counter, bound, test)
                last.append(compiler.emit(Instruction(opcode: CLITMUS_JUMP_UNLESS, a: test)))
            }
            compiler.apply(.add, counter, one, counter)
        }
        land(last)
        finishLoop(end)
    }

    private mutating func loop(times counter: Register, _ body: Program.Block) throws(Diagnostic) {
        let one = constant(1)
        let test = newVariable()
        let again = here
        apply(.greater, counter, .zero, test)
        let end = emit(Instruction(opcode: CLITMUS_JUMP_UNLESS, a: test))
        try turns(body, again) { $0.apply(.subtract, counter, one, counter) }
        finishLoop(end)
    }

    /// Emits the exit from the current turn of the innermost loop: unlocks what was locked in it, and jumps.
    ///
    /// - Returns: the jump, which must still be directed.
    private mutating func leaveTurn() -> Int {
        unlock(downTo: loops[loops.count - 1].held)
        return jump()
    }

    /// Emits the loop's body and the jump to its next turn, at `again`.
    private mutating func turns(
        _ body: Program.Block, _ again: Int, prepareNext: (inout BodyCompiler) -> Void
    ) throws(Diagnostic) {
        loops.append(Loop(held: held.count))
        try block(body)
        land(loops[loops.count - 1].next)
        prepareNext(&self)
        emit(Instruction(opcode: CLITMUS_JUMP_BACK, place: again))
    }

    /// Directs the jumps that leave the loop to this place.
    private mutating func finishLoop(_ end: Int) {
        land(end)
        land(loops.removeLast().leaving)
    }
}
