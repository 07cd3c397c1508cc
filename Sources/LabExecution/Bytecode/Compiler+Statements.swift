import LabProgram
import LabSyntax
import Machine

/// The code of statements. Between two of them the evaluation stack is empty.
extension Compiler {
    mutating func block(_ block: Program.Block) {
        for statement in block.statements {
            line = statement.site.line
            depth = 0
            self.statement(statement)
        }
        if !block.slots.isEmpty { emit(.clear, block.slots.lowerBound, block.slots.count) }
    }

    /// Compiles a block that runs if the test is true.
    private mutating func block(_ block: Program.Block, under test: Program.Expression?) {
        tests.append(test)
        self.block(block)
        tests.removeLast()
    }

    private mutating func statement(_ statement: Program.Statement) {
        switch statement.kind {
        case .set(let slot, let value):
            expression(value)
            emit(.set, slot)
        case .write(let place, let value): write(place, value)
        case .update(let place, let sign, let value): update(place, sign, value)
        case .evaluate(let value):
            expression(value)
            // A function without a result leaves nothing on the stack.
            if value.type != nil { emit(.pop) }
        case .branch(let branches, let otherwise): branch(branches, otherwise)
        case .loop, .count, .times: loop(statement.kind)
        case .leave:
            cleanUp(to: loops[loops.count - 1].cleanups)
            loops[loops.count - 1].leaving.append(emit(.jump))
        case .next:
            cleanUp(to: loops[loops.count - 1].cleanups)
            loops[loops.count - 1].next.append(emit(.jump))
        case .return(let value): leaveBody(value)
        case .locked(let place, let mode, let block): locked(place, mode, block)
        case .enclosed(let place, let block): enclosed(place, block)
        case .await(let condition): waitUntil(condition)
        case .assert(let condition, let text, let source): assert(condition, text, source)
        case .note(let text): self.text(text, .note)
        case .sleep(let duration):
            expression(duration)
            operate(OperationForm(kind: .sleepUntil, arguments: .sleep))
        case .progress:
            bodiesWithProgress.insert(bodies.count)
            emit(.progress)
        case .yield: operate(OperationForm(kind: .yield))
        case .fence(let order): operate(OperationForm(kind: .fence, orders: Operation.Orders(order)))
        case .spawn(let thread): forEach(thread) { $0.emit(.spawn) }
        case .join(let thread): operate(on: thread, .join)
        case .detach(let thread): operate(on: thread, .detach)
        }
    }

    // MARK: - Memory

    private mutating func write(_ place: Program.Place, _ value: Program.Expression) {
        if isList(place) {
            let list = firstObject[place.object]
            if let index = place.index { expression(index) }
            expression(value)
            access(.write, list: list)
            emit(.listSet, listStart[list]!)
            observe(place)
            return
        }
        let object = object(place)
        expression(value)
        operate(
            OperationForm(kind: .write, arguments: .value, elements: object.elements), on: object.number)
        observe(place)
    }

    /// Checks the claims about every state, if they read the memory that has changed.
    mutating func observe(_ place: Program.Place) {
        if observed.contains(place.object) { emit(.observe) }
    }

    private mutating func update(_ place: Program.Place, _ sign: Operator, _ value: Program.Expression) {
        if isList(place) { return updateList(place, sign, value) }
        let object = object(place)
        // The object's number is needed twice: for the read and for the write.
        if !object.elements.isEmpty, let slot = place.slot {
            emit(.set, slot)
            emit(.get, slot)
            emit(.get, slot)
            pushed()
            pushed()
        }
        operate(OperationForm(kind: .read, elements: object.elements, hasResult: true), on: object.number)
        expression(value)
        apply(sign)
        operate(
            OperationForm(kind: .write, arguments: .value, elements: object.elements), on: object.number)
        observe(place)
    }

    private mutating func updateList(_ place: Program.Place, _ sign: Operator, _ value: Program.Expression) {
        let list = firstObject[place.object]
        guard let index = place.index else { return }
        // The subscript is needed twice: for the read and for the write.
        expression(index)
        if let slot = place.slot {
            emit(.set, slot)
            emit(.get, slot)
            emit(.get, slot)
            pushed()
            pushed()
        } else {
            // A constant subscript has no slot.
            expression(index)
        }
        access(.read, list: list)
        emit(.listGet, listStart[list]!)
        expression(value)
        apply(sign)
        access(.write, list: list)
        emit(.listSet, listStart[list]!)
        observe(place)
    }

    // MARK: - Branches and loops

    private mutating func branch(_ branches: [Program.Statement.Branch], _ otherwise: Program.Block?) {
        var ends: [Int] = []
        for (number, branch) in branches.enumerated() {
            line = branch.condition.site.line
            expression(branch.condition)
            let next = jumpIfFalse()
            block(branch.block, under: number == 0 ? branch.condition : nil)
            ends.append(emit(.jump))
            land(next)
        }
        if let otherwise { block(otherwise, under: nil) }
        for end in ends { land(end) }
    }

    private mutating func loop(_ kind: Program.Statement.Kind) {
        loops.append(Loop(cleanups: cleanups.count))
        let line = self.line
        switch kind {
        case .loop(let condition, let body):
            let again = code.count
            expression(condition)
            let end = jumpIfFalse()
            block(body, under: condition.isConstant ? nil : condition)
            endRound(line, again, isEndless: true) { _ in }
            land(end)
        case .count(let slot, let lower, let upper, let isClosed, let bound, let body):
            expression(lower)
            expression(upper)
            emit(.set, bound)
            emit(.set, slot)
            let again = code.count
            emit(.get, slot)
            emit(.get, bound)
            emit(isClosed ? .lessOrEqual : .less)
            let end = jumpIfFalse()
            block(body, under: nil)
            // A closed range may end at the largest number, which cannot be incremented.
            var last: Int?
            endRound(line, again) { compiler in
                if isClosed {
                    compiler.emit(.get, slot)
                    compiler.emit(.get, bound)
                    compiler.emit(.less)
                    last = compiler.jumpIfFalse()
                }
                compiler.emit(.increment, slot)
            }
            land(end)
            if let last { land(last) }
        case .times(let count, let slot, let body):
            expression(count)
            emit(.set, slot)
            emit(.get, slot)
            push(0)
            emit(.greater)
            let end = jumpIfFalse()
            let again = code.count
            block(body, under: nil)
            for jump in loops[loops.count - 1].next { land(jump) }
            self.line = line
            emit(.countDown, again, slot)
            land(end)
        default: break
        }
        for jump in loops.removeLast().leaving { land(jump) }
    }

    /// Ends a round of a loop: lands the jumps of `continue`, and jumps back to `again`.
    ///
    /// - Parameters:
    ///   - isEndless: whether no counter limits the rounds.
    ///   - prepareNext: emits what is done before the next round, such as counting.
    private mutating func endRound(
        _ line: Int, _ again: Int, isEndless: Bool = false, _ prepareNext: (inout Compiler) -> Void
    ) {
        for jump in loops[loops.count - 1].next { land(jump) }
        self.line = line
        prepareNext(&self)
        emit(isEndless ? .jumpBack : .jump, again)
    }

    // MARK: - Exits

    /// Emits the cleanups of the enclosing blocks, the innermost first, except those of the outermost `count`.
    private mutating func cleanUp(to count: Int) {
        for cleanup in cleanups[count...].reversed() {
            switch cleanup.kind {
            case .operation(let kind): leave(cleanup.place, kind)
            case .recipe(let operation): leave(cleanup.place, operation)
            }
        }
    }

    private mutating func leaveBody(_ value: Program.Expression?) {
        if let value { expression(value) }
        cleanUp(to: 0)
        if isMain {
            mainReturns.append(emit(.jump))
        } else if isFunction {
            emit(.return, slots, value == nil ? 0 : 1)
        } else {
            emit(.end)
        }
    }

    private mutating func locked(_ place: Program.Place, _ mode: LockMode, _ block: Program.Block) {
        let (taking, leaving): (Operation.Kind, Operation.Kind) =
            switch mode {
            case .mutex: (.lock, .unlock)
            case .reading: (.readLock, .unlockShared)
            case .writing: (.writeLock, .unlockShared)
            }
        let line = self.line
        enter(place, taking)
        cleanups.append(Cleanup(place: place, kind: .operation(leaving)))
        self.block(block)
        cleanups.removeLast()
        self.line = line
        leave(place, leaving)
    }

    /// Locks the object of a block, and keeps its number in the place's slot if it is not constant.
    mutating func enter(_ place: Program.Place, _ kind: Operation.Kind) {
        let object = object(place)
        if !object.elements.isEmpty, let slot = place.slot {
            emit(.set, slot)
            emit(.get, slot)
        }
        operate(OperationForm(kind: kind, elements: object.elements), on: object.number)
    }

    /// Unlocks the object of a block.
    mutating func leave(_ place: Program.Place, _ kind: Operation.Kind) {
        if let slot = place.slot, place.index != nil, constantElement(place) == nil {
            emit(.get, slot)
            pushed()
            operate(OperationForm(kind: kind, elements: elements(of: place)))
        } else {
            operate(OperationForm(kind: kind), on: object(place).number)
        }
    }

    // MARK: - Await and texts

    private mutating func waitUntil(_ condition: Program.Expression) {
        emit(.beginAwait)
        let again = code.count
        if let simple = SingleRead(condition) {
            awaitedRead(simple)
        } else {
            isWatching = true
            expression(condition)
            isWatching = false
        }
        let end = emit(.jumpIfTrue)
        emit(.awaitAgain, again)
        land(end)
    }

    /// The only read of an `await`. The operation has the compared value as its argument, so that the machine knows
    /// before the step whether the `await` will end.
    private mutating func awaitedRead(_ read: SingleRead) {
        let outer = line
        line = read.site.line
        let object = object(read.place)
        expression(read.other)
        operate(
            OperationForm(
                kind: read.kind, arguments: .value, elements: object.elements, hasResult: true,
                isWatching: true, awaited: read.comparison, orders: read.orders),
            on: object.number)
        line = outer
        // The code itself evaluates the condition again, with the value that was read.
        expression(read.other)
        emit(Opcode(read.sign))
    }

    private mutating func assert(_ condition: Program.Expression, _ text: Program.Text?, _ source: String) {
        let start = code.count
        expression(condition)
        let reads = code.indices[start...].filter { isRead(code[$0]) }
        let passed = emit(.jumpIfTrue)
        var words = Program.Text(parts: [.words("'\(source)' does not hold")])
        if let text { words.parts += [.words(": ")] + text.parts }
        self.text(words, .fail)
        if text?.hasValues != true {
            assertions[texts.count - 1] = CompiledAssertion(
                reads: reads, variables: variables(in: condition), hasText: text != nil)
        }
        land(passed)
    }

    private func isRead(_ instruction: Instruction) -> Bool {
        instruction.opcode == .operate && forms[Int(instruction.b)].kind.isLook
    }

    private func variables(in condition: Program.Expression) -> [CompiledAssertion.Variable] {
        var found: [CompiledAssertion.Variable] = []
        ProgramWalk.expressions(condition) { expression in
            guard case .slot(let slot) = expression.kind, variables.indices.contains(slot),
                let name = variables[slot].name, !found.contains(where: { $0.slot == slot })
            else { return }
            found.append(.init(name: name, slot: slot, type: variables[slot].type))
        }
        return found
    }

    /// Pushes the values in the text, and emits the instruction that shows it: `note` or `fail`.
    private mutating func text(_ text: Program.Text, _ opcode: Opcode) {
        var parts: [CompiledText.Part] = []
        var values = 0
        for part in text.parts {
            switch part {
            case .words(let words): parts.append(.words(words))
            case .value(let value):
                expression(value)
                parts.append(.value(value.type ?? .integer))
                values += 1
            }
        }
        texts.append(CompiledText(parts: parts))
        emit(opcode, texts.count - 1, values)
    }

    // MARK: - Threads

    /// Compiles the code for each thread that the place names (one, or all of an array), with its number on the stack.
    mutating func forEach(_ place: Program.ThreadPlace, _ code: (inout Compiler) -> Void) {
        forEach(place, from: firstThread[place.thread], code)
    }

    private mutating func forEach(_ place: Program.ThreadPlace, from first: Int, _ code: (inout Compiler) -> Void) {
        if let index = place.index {
            expression(index)
            emit(.element, first, configuration.threadCounts[place.thread])
            code(&self)
            return
        }
        for element in 0..<configuration.threadCounts[place.thread] {
            depth = 0
            push(first + element)
            code(&self)
        }
    }

    /// Joins or detaches each thread that the place names, by the thread's number or through its seat.
    mutating func operate(on place: Program.ThreadPlace, _ kind: Operation.Kind) {
        if program.threads[place.thread].startsByItself {
            forEach(place, from: firstStarted[place.thread]) {
                $0.operate(OperationForm(kind: kind, arguments: .value))
            }
        } else {
            let first = firstSeat[place.thread]
            let seats = ObjectRange(from: first, count: configuration.threadCounts[place.thread])
            forEach(place, from: first) { $0.operate(OperationForm(kind: kind, elements: seats)) }
        }
    }
}
