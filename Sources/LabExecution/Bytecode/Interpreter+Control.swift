import Machine

/// Instructions that decide which one is next. All are inlined: what they change is in registers.
extension Interpreter {
    /// The number of words from one place to a later one.
    @inline(__always) func distance(_ start: UnsafeMutablePointer<Int>, _ end: UnsafeMutablePointer<Int>) -> Int {
        (Int(bitPattern: end) &- Int(bitPattern: start)) &>> 3
    }

    @inline(__always) func jump(
        _ pc: inout Int, _ target: Int, _ top: inout UnsafeMutablePointer<Int>, unless holds: (Int, Int) -> Bool
    ) {
        top -= 2
        if !holds(top[0], top[1]) { pc = target }
    }

    /// Whether it is still positive.
    @inline(__always) func countDown(_ word: inout Int) -> Bool {
        word &-= 1
        return word > 0
    }

    /// Enters a function, whose arguments are on the stack.
    @inline(__always) func enter(
        _ body: UnsafeMutablePointer<CompiledBody>, _ thread: UnsafeMutablePointer<Int>, _ pc: inout Int,
        _ frame: inout UnsafeMutablePointer<Int>, _ top: inout UnsafeMutablePointer<Int>
    ) {
        let callee = top - body.pointee.parameters
        top = callee + body.pointee.slots
        (callee + body.pointee.parameters).update(repeating: 0, count: body.pointee.slots - body.pointee.parameters)
        top[0] = pc
        top[1] = distance(thread, frame)
        top += 2
        frame = callee
        thread[ThreadWords.frame] = distance(thread, frame)
        pc = body.pointee.entry
    }

    /// Returns from a function.
    @inline(__always) func leave(
        _ instruction: Instruction, _ thread: UnsafeMutablePointer<Int>, _ pc: inout Int,
        _ frame: inout UnsafeMutablePointer<Int>, _ top: inout UnsafeMutablePointer<Int>
    ) {
        let result = top[-1]
        let callee = frame
        let slots = Int(instruction.a)
        pc = callee[slots]
        thread[ThreadWords.frame] = callee[slots + 1]
        frame = thread + callee[slots + 1]
        top = callee
        if instruction.b != 0 { push(result, &top) }
    }

    /// False: the attempt that has failed read nothing, so nothing can wake the thread.
    @inline(__always) func awaitAgain(_ thread: UnsafeMutablePointer<Int>) -> Bool {
        if thread[ThreadWords.watch] != Operation.Watch.further { return false }
        thread[ThreadWords.watch] = Operation.Watch.again
        return true
    }

    /// The stop for a note, or for a failure with a text.
    func text(_ instruction: Instruction, at values: Int) -> Stop {
        let text = Int(instruction.a)
        return instruction.opcode == .fail
            ? Stop(.assertion, line: instruction.line, a: text, b: values)
            : Stop(.note, line: instruction.line, a: text, b: values)
    }
}
