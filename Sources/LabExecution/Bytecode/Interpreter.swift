import Machine

/// Runs a thread's local code from one visible operation to the next. Both runtimes and the engine use it.
///
/// A view of memory that it does not own: the bytecode's, and the shared words of one run.
struct Interpreter {
    let code: UnsafeMutablePointer<Instruction>
    let forms: UnsafeMutablePointer<OperationForm>
    let constants: UnsafeMutablePointer<Int>
    let bodies: UnsafeMutablePointer<CompiledBody>
    let shared: UnsafeMutablePointer<Int>

    init(_ bytecode: Bytecode, shared: UnsafeMutablePointer<Int>) {
        code = bytecode.code.base
        forms = bytecode.forms.base
        constants = bytecode.constants.base
        bodies = bytecode.bodies.base
        self.shared = shared
    }

    /// Gives the thread the result of its operation.
    @inline(__always) func complete(_ thread: UnsafeMutablePointer<Int>, _ result: Int) {
        let instruction = code[thread[ThreadWords.programCounter] - 1]
        guard instruction.opcode == .operate, forms[Int(instruction.b)].hasResult else { return }
        thread[thread[ThreadWords.stack]] = result
        thread[ThreadWords.stack] += 1
    }

    /// Runs the thread's code to its next stop, and reports the kind of stop.
    ///
    /// - Parameters:
    ///   - patience: the maximum number of instructions.
    ///   - stop: receives the details. In the caller's memory, because returning so much would cost as much as running.
    func advance(
        _ thread: UnsafeMutablePointer<Int>, patience: inout Int, _ stop: UnsafeMutablePointer<Stop>
    ) -> Stop.Reason {
        var pc = code + thread[ThreadWords.programCounter]
        var frame = thread + thread[ThreadWords.frame]
        var top = thread + thread[ThreadWords.stack]
        defer {
            thread[ThreadWords.programCounter] = pc - code
            thread[ThreadWords.frame] = frame - thread
            thread[ThreadWords.stack] = top - thread
        }
        while true {
            let instruction = pc.pointee
            pc += 1
            patience -= 1
            if patience < 0 { return halt(Stop(.endless, line: instruction.line), stop) }
            let a = Int(instruction.a)
            switch instruction.opcode {
            case .push:
                top.pointee = a
                top += 1
            case .constant:
                top.pointee = constants[a]
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
            case .jump: pc = code + a
            case .jumpIfFalse:
                top -= 1
                if top.pointee == 0 { pc = code + a }
            case .jumpIfTrue:
                top -= 1
                if top.pointee != 0 { pc = code + a }
            case .jumpKeepingFalse: if top[-1] == 0 { pc = code + a } else { top -= 1 }
            case .jumpKeepingTrue: if top[-1] != 0 { pc = code + a } else { top -= 1 }
            case .call:
                let body = bodies + a
                let callee = top - body.pointee.parameters
                top = callee + body.pointee.slots
                (callee + body.pointee.parameters).update(
                    repeating: 0, count: body.pointee.slots - body.pointee.parameters)
                top[0] = pc - code
                top[1] = frame - thread
                top += 2
                frame = callee
                pc = code + body.pointee.entry
            case .return:
                let result = top[-1]
                let callee = frame
                pc = code + callee[a]
                frame = thread + callee[a + 1]
                top = callee
                if instruction.b != 0 {
                    top.pointee = result
                    top += 1
                }
            case .end: return halt(Stop(.ended, line: instruction.line), stop)
            case .operate:
                announce(instruction, thread, &top, stop)
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
                pc = code + a
            case .listAppend, .listRemoveFirst, .listRemoveLast, .listRemoveAll, .listCount, .listGet, .listSet,
                .listEquals:
                if let end = changeList(instruction, &top) { return halt(end, stop) }
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
            case .review: return halt(Stop(.review, line: instruction.line), stop)
            }
        }
    }

    private func halt(_ end: Stop, _ stop: UnsafeMutablePointer<Stop>) -> Stop.Reason {
        stop.pointee = end
        return end.reason
    }

    @inline(__always) private func announce(
        _ instruction: Instruction, _ thread: UnsafeMutablePointer<Int>, _ top: inout UnsafeMutablePointer<Int>,
        _ stop: UnsafeMutablePointer<Stop>
    ) {
        let form = forms + Int(instruction.b)
        stop.pointee.reason = .operation
        stop.pointee.line = Int(instruction.line)
        stop.pointee.isTimed = false
        var operation = Operation(form.pointee.kind, UInt32(truncatingIfNeeded: instruction.a), form.pointee.fixed)
        switch form.pointee.arguments {
        case .none:
            // A wait without a deadline.
            if operation.kind == .wait { operation.b = Operation.never }
        case .value:
            top -= 1
            operation.a = top.pointee
        case .twoValues:
            top -= 2
            operation.a = top[0]
            operation.b = top[1]
        case .timeout, .sleep:
            top -= 1
            operation.b = max(0, top.pointee)
            if form.pointee.arguments == .sleep { operation.a = operation.b }
            stop.pointee.isTimed = true
        }
        if form.pointee.hasObjectOnStack {
            top -= 1
            operation.object = UInt32(truncatingIfNeeded: top.pointee)
        }
        if form.pointee.isWatching {
            operation.b = thread[ThreadWords.watch]
            thread[ThreadWords.watch] = Operation.Watch.further
        }
        thread[ThreadWords.argument] = operation.a
        stop.pointee.operation = operation
    }
}
