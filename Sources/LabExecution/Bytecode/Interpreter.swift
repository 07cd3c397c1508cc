import Machine

/// Runs a thread's local code from one visible operation to the next, for a `ProgramHost`.
///
/// It is a view of memory that it does not own: the bytecode's tables, and the shared words of one run. Its two words
/// are passed in registers.
struct Interpreter {
    private let tables: UnsafeMutablePointer<Bytecode.Tables>
    let shared: UnsafeMutablePointer<Int>

    init(_ bytecode: Bytecode, shared: UnsafeMutablePointer<Int>) {
        tables = bytecode.tables.pointer
        self.shared = shared
    }

    @inline(always) var code: UnsafeMutablePointer<Instruction> { tables.pointee.code }
    @inline(always) private var forms: UnsafeMutablePointer<OperationForm> { tables.pointee.forms }

    /// The line of the instruction at which the thread has stopped.
    func line(of thread: UnsafeMutablePointer<Int>) -> UInt16 { code[thread[ThreadWords.programCounter] - 1].line }

    /// Gives the thread the result of its operation.
    @inline(always) func complete(_ thread: UnsafeMutablePointer<Int>, _ result: Int) {
        let instruction = code[thread[ThreadWords.programCounter] - 1]
        guard instruction.opcode == .operate, forms[Int(instruction.b)].hasResult else { return }
        thread[thread[ThreadWords.stack]] = result
        thread[ThreadWords.stack] += 1
    }

    /// Gives the thread the result of its operation, which is one on an object. Writes the result even if the form has
    /// none, because a branch would be unpredictable: there is always room for one value above the stack.
    @inline(always) func completeOperation(_ thread: UnsafeMutablePointer<Int>, _ result: Int) {
        let form = forms + Int(code[thread[ThreadWords.programCounter] - 1].b)
        thread[thread[ThreadWords.stack]] = result
        thread[ThreadWords.stack] &+= form.pointee.hasResult ? 1 : 0
    }

    /// Runs the thread's code to its next stop, and returns the reason for the stop.
    ///
    /// - Parameters:
    ///   - patience: the maximum number of instructions.
    ///   - operation: receives the operation, if one is reached.
    ///   - stop: receives the details. It is in the caller's memory, because returning all these words would cost as
    ///     much as running.
    func advance(
        _ thread: UnsafeMutablePointer<Int>, patience: inout Int, _ operation: UnsafeMutablePointer<Operation>,
        _ stop: UnsafeMutablePointer<Stop>
    ) -> Stop.Reason {
        let code = code
        // Local variables hold addresses, and the thread's words hold offsets. To convert them at each instruction
        // would take as long as several instructions.
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
            case .push: push(a, &top)
            case .constant: push(tables.pointee.constants[a], &top)
            case .get: push(frame[a], &top)
            case .set: frame[a] = pop(&top)
            case .clear: (frame + a).update(repeating: 0, count: Int(instruction.b))
            case .index: push(thread[ThreadWords.index], &top)
            case .pop: top -= 1
            case .negate: if !negate(&top[-1]) { return overflow(instruction, stop) }
            case .invert: top[-1] = ~top[-1]
            case .not: top[-1] = top[-1] == 0 ? 1 : 0
            case .absolute: if top[-1] < 0, !negate(&top[-1]) { return overflow(instruction, stop) }
            case .add: if !add(pop(&top), to: &top[-1]) { return overflow(instruction, stop) }
            case .subtract: if !subtract(pop(&top), from: &top[-1]) { return overflow(instruction, stop) }
            case .addConstant: if !add(a, to: &top[-1]) { return overflow(instruction, stop) }
            case .increment: if !add(1, to: &frame[a]) { return overflow(instruction, stop) }
            case .countDown: if countDown(&frame[Int(place.pointee.b)]) { pc = a }
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
            case .multiply, .divide, .remainder, .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight, .least, .greatest:
                top -= 1
                if let failure = calculate(instruction.opcode, top - 1) {
                    return halt(Stop(failure, of: instruction), stop)
                }
            case .element: if !element(instruction, &top[-1], stop) { return .failed }
            case .jump: pc = a
            case .jumpBack:
                thread[ThreadWords.hasLooped] = 1
                pc = a
            case .jumpIfFalse: if pop(&top) == 0 { pc = a }
            case .jumpIfTrue: if pop(&top) != 0 { pc = a }
            case .jumpKeepingFalse: if top[-1] == 0 { pc = a } else { top -= 1 }
            case .jumpKeepingTrue: if top[-1] != 0 { pc = a } else { top -= 1 }
            case .call: enter(tables.pointee.bodies + a, thread, &pc, &frame, &top)
            case .return: leave(instruction, thread, &pc, &frame, &top)
            case .end: return halt(Stop(.ended, line: instruction.line), stop)
            case .operate:
                top = formOperation(instruction, thread, top, operation, stop)
                return .operation
            case .compared: top[-1] = top[-1] == thread[ThreadWords.argument] ? 1 : 0
            case .added:
                if top[-1].addingReportingOverflow(thread[ThreadWords.argument]).overflow {
                    return overflow(instruction, stop)
                }
            case .spawn: return halt(Stop(.spawn, line: instruction.line, a: pop(&top), b: Int(instruction.b)), stop)
            case .choices:
                guard top[-1] > 0 && top[-1] <= Bytecode.mostChoices else {
                    return halt(Stop(.noChoices, line: instruction.line, a: top[-1]), stop)
                }
            case .beginAwait: thread[ThreadWords.watch] = Operation.Watch.first
            case .awaitAgain:
                if !awaitAgain(thread) { return halt(Stop(.unawakable, line: instruction.line), stop) }
                pc = a
            case .listAppend, .listRemoveFirst, .listRemoveLast, .listRemoveAll, .listCount, .listGet, .listSet,
                .listEquals:
                // A copy, because a variable that is passed by reference does not stay in a register.
                var above = top
                let end = change(shared + a, instruction, &above)
                top = above
                if let end { return halt(end, stop) }
            case .word: push(shared[a], &top)
            case .setWord: shared[a] = pop(&top)
            case .wordAt: top[-1] = shared[a + top[-1]]
            case .setWordAt:
                top -= 2
                shared[a + top[1]] = top[0]
            case .record:
                top -= 1
                if !CallLogs.append(top.pointee, to: shared + a + thread[ThreadWords.index] &* CallLogs.stride) {
                    return halt(Stop(.fullLog, line: instruction.line), stop)
                }
            case .note, .fail:
                top -= Int(instruction.b)
                return halt(text(instruction, at: top - thread), stop)
            case .observe: return halt(Stop(.observe, line: instruction.line), stop)
            case .progress: return halt(Stop(.progress, line: instruction.line), stop)
            case .review: return halt(Stop(.review, line: instruction.line), stop)
            }
        }
    }

    @inline(never) private func overflow(_ instruction: Instruction, _ stop: UnsafeMutablePointer<Stop>) -> Stop.Reason
    {
        halt(Stop(.overflow, of: instruction), stop)
    }

    /// Stores why the thread stops.
    func halt(_ end: Stop, _ stop: UnsafeMutablePointer<Stop>) -> Stop.Reason {
        stop.pointee = end
        return end.reason
    }

    /// Forms the operation of an instruction from the values on the stack, and returns the end of the stack without
    /// them.
    @inline(always) private func formOperation(
        _ instruction: Instruction, _ thread: UnsafeMutablePointer<Int>, _ top: UnsafeMutablePointer<Int>,
        _ operation: UnsafeMutablePointer<Operation>, _ stop: UnsafeMutablePointer<Stop>
    ) -> UnsafeMutablePointer<Int> {
        let form = forms + Int(instruction.b)
        stop.pointee.line = Int(instruction.line)
        operation.pointee.kind = form.pointee.kind
        operation.pointee.orders = form.pointee.orders
        operation.pointee.object = UInt32(truncatingIfNeeded: instruction.a)
        if !form.pointee.isPlain { return form.pointee.take(thread, top, operation, stop) }
        // The word at `rest` may be read even if it is not an argument, because a branch would be unpredictable. It is
        // always a word of the thread.
        let rest = top - (form.pointee.arguments == .value ? 1 : 0)
        let value = form.pointee.arguments == .value ? rest.pointee : form.pointee.fixed
        operation.pointee.a = value
        operation.pointee.b = 0
        thread[ThreadWords.argument] = value
        return rest
    }
}
