import Machine

/// Runs a thread's local code from one visible operation to the next. Both runtimes and the engine use it.
///
/// A view of memory that it does not own: the bytecode's, and the shared words of one run.
///
/// It is two words, which calls pass in registers.
struct Interpreter {
    /// The bytecode's memory.
    struct Tables {
        let code: UnsafeMutablePointer<Instruction>
        let forms: UnsafeMutablePointer<OperationForm>
        let constants: UnsafeMutablePointer<Int>
        let bodies: UnsafeMutablePointer<CompiledBody>
    }

    private let tables: UnsafeMutablePointer<Tables>
    let shared: UnsafeMutablePointer<Int>

    init(_ bytecode: Bytecode, shared: UnsafeMutablePointer<Int>) {
        tables = bytecode.tables.pointer
        self.shared = shared
    }

    @inline(always) private var code: UnsafeMutablePointer<Instruction> { tables.pointee.code }
    @inline(always) private var forms: UnsafeMutablePointer<OperationForm> { tables.pointee.forms }

    /// Gives the thread the result of its operation.
    @inline(always) func complete(_ thread: UnsafeMutablePointer<Int>, _ result: Int) {
        let instruction = code[thread[ThreadWords.programCounter] - 1]
        guard instruction.opcode == .operate, forms[Int(instruction.b)].hasResult else { return }
        thread[thread[ThreadWords.stack]] = result
        thread[ThreadWords.stack] += 1
    }

    /// The same if the operation was on an object. Without a branch on whether it has a result, which is unpredictable:
    /// above the stack there is room for one.
    @inline(always) func completeOperation(_ thread: UnsafeMutablePointer<Int>, _ result: Int) {
        let form = forms + Int(code[thread[ThreadWords.programCounter] - 1].b)
        thread[thread[ThreadWords.stack]] = result
        thread[ThreadWords.stack] &+= form.pointee.hasResult ? 1 : 0
    }

    /// Runs the thread's code to its next stop, and reports the kind of stop.
    ///
    /// - Parameters:
    ///   - patience: the maximum number of instructions.
    ///   - operation: receives the operation that is reached.
    ///   - stop: receives the details. In the caller's memory, because returning so much would cost as much as running.
    func advance(
        _ thread: UnsafeMutablePointer<Int>, patience: inout Int, _ operation: UnsafeMutablePointer<Operation>,
        _ stop: UnsafeMutablePointer<Stop>
    ) -> Stop.Reason {
        let code = code
        // Positions, as the thread keeps them: conversions from pointers would take as long as several instructions.
        var pc = thread[ThreadWords.programCounter]
        var frame = thread + thread[ThreadWords.frame]
        var top = thread + thread[ThreadWords.stack]
        var left = patience
        defer {
            patience = left
            thread[ThreadWords.programCounter] = pc
            thread[ThreadWords.stack] = distance(thread, top)
        }
        while true {
            let place = code + pc
            pc &+= 1
            left &-= 1
            if left < 0 { return halt(Stop(.endless, line: place.pointee.line), stop) }
            let a = Int(place.pointee.a)
            var instruction: Instruction {
                @inline(always) get { place.pointee }
            }
            switch place.pointee.opcode {
            case .push:
                top.pointee = a
                top += 1
            case .constant:
                top.pointee = tables.pointee.constants[a]
                top += 1
            case .get:
                top.pointee = frame[a]
                top += 1
            case .set:
                top -= 1
                frame[a] = top.pointee
            case .clear: (frame + a).update(repeating: 0, count: Int(instruction.b))
            case .index:
                top.pointee = thread[ThreadWords.index]
                top += 1
            case .pop: top -= 1
            case .negate:
                let (value, overflow) = 0.subtractingReportingOverflow(top[-1])
                if overflow { return halt(Stop(.overflow, of: instruction), stop) }
                top[-1] = value
            case .invert: top[-1] = ~top[-1]
            case .not: top[-1] = top[-1] == 0 ? 1 : 0
            case .add:
                top -= 1
                let (sum, overflow) = top[-1].addingReportingOverflow(top[0])
                if overflow { return halt(Stop(.overflow, of: instruction), stop) }
                top[-1] = sum
            case .subtract:
                top -= 1
                let (difference, overflow) = top[-1].subtractingReportingOverflow(top[0])
                if overflow { return halt(Stop(.overflow, of: instruction), stop) }
                top[-1] = difference
            case .addConstant:
                let (sum, overflow) = top[-1].addingReportingOverflow(a)
                if overflow { return halt(Stop(.overflow, line: place.pointee.line), stop) }
                top[-1] = sum
            case .increment:
                let (sum, overflow) = frame[a].addingReportingOverflow(1)
                if overflow { return halt(Stop(.overflow, line: place.pointee.line), stop) }
                frame[a] = sum
            case .countDown:
                let rest = frame[Int(place.pointee.b)] &- 1
                frame[Int(place.pointee.b)] = rest
                if rest > 0 { pc = a }
            case .jumpUnlessEqual: jump(&pc, a, &top, unless: ==)
            case .jumpUnlessNotEqual: jump(&pc, a, &top, unless: !=)
            case .jumpUnlessLess: jump(&pc, a, &top, unless: <)
            case .jumpUnlessLessOrEqual: jump(&pc, a, &top, unless: <=)
            case .jumpUnlessGreater: jump(&pc, a, &top, unless: >)
            case .jumpUnlessGreaterOrEqual: jump(&pc, a, &top, unless: >=)
            case .equal: compare(&top, ==)
            case .notEqual: compare(&top, !=)
            case .less: compare(&top, <)
            case .lessOrEqual: compare(&top, <=)
            case .greater: compare(&top, >)
            case .greaterOrEqual: compare(&top, >=)
            case .multiply, .divide, .remainder, .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight:
                top -= 1
                if let failure = calculate(instruction.opcode, top - 1) {
                    return halt(Stop(failure, of: instruction), stop)
                }
            case .element:
                let index = top[-1]
                let count = Int(instruction.b)
                guard index >= 0 && index < count else {
                    return halt(Stop(.outOfBounds, line: instruction.line, a: index, b: count), stop)
                }
                top[-1] = a + index
            case .jump: pc = a
            case .jumpBack:
                thread[ThreadWords.hasLooped] = 1
                pc = a
            case .jumpIfFalse:
                top -= 1
                if top.pointee == 0 { pc = a }
            case .jumpIfTrue:
                top -= 1
                if top.pointee != 0 { pc = a }
            case .jumpKeepingFalse: if top[-1] == 0 { pc = a } else { top -= 1 }
            case .jumpKeepingTrue: if top[-1] != 0 { pc = a } else { top -= 1 }
            case .call:
                let body = tables.pointee.bodies + a
                let callee = top - body.pointee.parameters
                top = callee + body.pointee.slots
                (callee + body.pointee.parameters).update(
                    repeating: 0, count: body.pointee.slots - body.pointee.parameters)
                top[0] = pc
                top[1] = distance(thread, frame)
                top += 2
                frame = callee
                thread[ThreadWords.frame] = distance(thread, frame)
                pc = body.pointee.entry
            case .return:
                let result = top[-1]
                let callee = frame
                pc = callee[a]
                thread[ThreadWords.frame] = callee[a + 1]
                frame = thread + callee[a + 1]
                top = callee
                if instruction.b != 0 {
                    top.pointee = result
                    top += 1
                }
            case .end: return halt(Stop(.ended, line: instruction.line), stop)
            case .operate:
                top = form(instruction, thread, top, operation, stop)
                return .operation
            case .compared: top[-1] = top[-1] == thread[ThreadWords.argument] ? 1 : 0
            case .added:
                if top[-1].addingReportingOverflow(thread[ThreadWords.argument]).overflow {
                    return halt(Stop(.overflow, of: instruction), stop)
                }
            case .spawn:
                top -= 1
                return halt(Stop(.spawn, line: instruction.line, a: top.pointee, b: Int(instruction.b)), stop)
            case .choices:
                guard top[-1] > 0 && top[-1] <= Bytecode.mostChoices else {
                    return halt(Stop(.noChoices, line: instruction.line, a: top[-1]), stop)
                }
            case .beginAwait: thread[ThreadWords.watch] = Operation.Watch.first
            case .awaitAgain:
                if thread[ThreadWords.watch] != Operation.Watch.further {
                    return halt(Stop(.unawakable, line: instruction.line), stop)
                }
                thread[ThreadWords.watch] = Operation.Watch.again
                pc = a
            case .listAppend, .listRemoveFirst, .listRemoveLast, .listRemoveAll, .listCount, .listGet, .listSet,
                .listEquals:
                // A copy, because what is passed by reference is not in a register.
                var above = top
                let end = changeList(instruction, &above)
                top = above
                if let end { return halt(end, stop) }
            case .word:
                top.pointee = shared[a]
                top += 1
            case .setWord:
                top -= 1
                shared[a] = top.pointee
            case .wordAt: top[-1] = shared[a + top[-1]]
            case .setWordAt:
                top -= 2
                shared[a + top[1]] = top[0]
            case .note, .fail:
                top -= Int(instruction.b)
                if instruction.opcode == .fail {
                    return halt(Stop(.assertion, line: instruction.line, a: a, b: top - thread), stop)
                }
                return halt(Stop(.note, line: instruction.line, a: a, b: top - thread), stop)
            case .observe: return halt(Stop(.observe, line: instruction.line), stop)
            case .progress: return halt(Stop(.progress, line: instruction.line), stop)
            case .review: return halt(Stop(.review, line: instruction.line), stop)
            }
        }
    }

    /// The number of words from one place to a later one.
    @inline(always) private func distance(_ start: UnsafeMutablePointer<Int>, _ end: UnsafeMutablePointer<Int>) -> Int {
        (Int(bitPattern: end) &- Int(bitPattern: start)) &>> 3
    }

    @inline(always) private func jump(
        _ pc: inout Int, _ target: Int, _ top: inout UnsafeMutablePointer<Int>, unless holds: (Int, Int) -> Bool
    ) {
        top -= 2
        if !holds(top[0], top[1]) { pc = target }
    }

    private func halt(_ end: Stop, _ stop: UnsafeMutablePointer<Stop>) -> Stop.Reason {
        stop.pointee = end
        return end.reason
    }

    /// Forms the operation, and returns where the stack ends then.
    @inline(always) private func form(
        _ instruction: Instruction, _ thread: UnsafeMutablePointer<Int>, _ top: UnsafeMutablePointer<Int>,
        _ operation: UnsafeMutablePointer<Operation>, _ stop: UnsafeMutablePointer<Stop>
    ) -> UnsafeMutablePointer<Int> {
        let form = forms + Int(instruction.b)
        stop.pointee.line = Int(instruction.line)
        operation.pointee.kind = form.pointee.kind
        operation.pointee.object = UInt32(truncatingIfNeeded: instruction.a)
        if !form.pointee.isPlain { return form.pointee.take(thread, top, operation, stop) }
        // Without a branch on whether there is a value, which is unpredictable: there are words below the stack.
        let rest = top - (form.pointee.arguments == .value ? 1 : 0)
        let value = form.pointee.arguments == .value ? rest.pointee : form.pointee.fixed
        operation.pointee.a = value
        operation.pointee.b = 0
        thread[ThreadWords.argument] = value
        return rest
    }
}
