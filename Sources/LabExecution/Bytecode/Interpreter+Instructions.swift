import LabSyntax
import Machine

/// Instructions that determine the next one: jumps, calls and returns. They are inlined, so that the values that they
/// change stay in registers.
extension Interpreter {
    /// The number of words, of eight bytes each, from one address to a later one.
    @inline(__always) func distance(_ start: UnsafeMutablePointer<Int>, _ end: UnsafeMutablePointer<Int>) -> Int {
        (Int(bitPattern: end) &- Int(bitPattern: start)) &>> 3
    }

    /// Pops two values, and jumps unless the comparison of them holds.
    @inline(__always) func jump(
        _ pc: inout Int, _ target: Int, _ top: inout UnsafeMutablePointer<Int>, unless holds: (Int, Int) -> Bool
    ) {
        top -= 2
        if !holds(top[0], top[1]) { pc = target }
    }

    /// Subtracts one. Returns whether the word is still positive.
    @inline(__always) func countDown(_ word: inout Int) -> Bool {
        word &-= 1
        return word > 0
    }

    /// Enters a function, whose arguments are on the stack. They become the first slots of its frame
    /// (`ThreadWords.frame`).
    @inline(__always) func enter(
        _ body: UnsafeMutablePointer<CompiledBody>, _ thread: UnsafeMutablePointer<Int>, _ pc: inout Int,
        _ frame: inout UnsafeMutablePointer<Int>, _ top: inout UnsafeMutablePointer<Int>
    ) {
        let callee = top - body.pointee.parameters
        top = callee + body.pointee.slots
        (callee + body.pointee.parameters).update(repeating: 0, count: body.pointee.slots - body.pointee.parameters)
        top[0] = pc
        top[1] = distance(thread, frame)
        top += CompiledBody.linkWords
        frame = callee
        thread[ThreadWords.frame] = distance(thread, frame)
        pc = body.pointee.entry
    }

    /// Returns from a function.
    @inline(__always) func leave(
        _ instruction: Instruction, _ thread: UnsafeMutablePointer<Int>, _ pc: inout Int,
        _ frame: inout UnsafeMutablePointer<Int>, _ top: inout UnsafeMutablePointer<Int>
    ) {
        // Meaningless if the function has no result.
        let result = top[-1]
        let callee = frame
        let slots = Int(instruction.a)
        pc = callee[slots]
        thread[ThreadWords.frame] = callee[slots + 1]
        frame = thread + callee[slots + 1]
        top = callee
        if instruction.b != 0 { push(result, &top) }
    }

    /// Makes the next read of the thread the first of another attempt at its `await`. Returns false if the failed
    /// attempt has read nothing, so that nothing can wake the thread.
    @inline(__always) func awaitAgain(_ thread: UnsafeMutablePointer<Int>) -> Bool {
        if thread[ThreadWords.watch] != Operation.Watch.further { return false }
        thread[ThreadWords.watch] = Operation.Watch.again
        return true
    }

    /// The stop for a note, or for a failed assertion with a text.
    func text(_ instruction: Instruction, at values: Int) -> Stop {
        let text = Int(instruction.a)
        return instruction.opcode == .fail
            ? Stop(.assertion, line: instruction.line, a: text, b: values)
            : Stop(.note, line: instruction.line, a: text, b: values)
    }
}

/// Instructions that compute values.
extension Interpreter {
    @inline(__always) func push(_ value: Int, _ top: inout UnsafeMutablePointer<Int>) {
        top.pointee = value
        top += 1
    }

    @inline(__always) func pop(_ top: inout UnsafeMutablePointer<Int>) -> Int {
        top -= 1
        return top.pointee
    }

    /// Arithmetic that returns false, and changes nothing, if the result overflows.
    @inline(__always) func add(_ addend: Int, to word: inout Int) -> Bool {
        let (sum, overflow) = word.addingReportingOverflow(addend)
        if !overflow { word = sum }
        return !overflow
    }

    @inline(__always) func subtract(_ subtrahend: Int, from word: inout Int) -> Bool {
        let (difference, overflow) = word.subtractingReportingOverflow(subtrahend)
        if !overflow { word = difference }
        return !overflow
    }

    @inline(__always) func negate(_ word: inout Int) -> Bool {
        let (value, overflow) = 0.subtractingReportingOverflow(word)
        if !overflow { word = value }
        return !overflow
    }

    /// Replaces an index by the number of the element. Returns false if the index is out of bounds.
    @inline(__always) func element(
        _ instruction: Instruction, _ index: inout Int, _ stop: UnsafeMutablePointer<Stop>
    ) -> Bool {
        let count = Int(instruction.b)
        guard index >= 0 && index < count else {
            _ = halt(Stop(.outOfBounds, line: instruction.line, a: index, b: count), stop)
            return false
        }
        index += Int(instruction.a)
        return true
    }

    /// Replaces the two values on top by whether the comparison of them holds.
    @inline(__always) func compare(_ top: inout UnsafeMutablePointer<Int>, _ holds: (Int, Int) -> Bool) {
        top -= 1
        top[-1] = holds(top[-1], top[0]) ? 1 : 0
    }

    /// Applies an operator.
    ///
    /// - Parameter values: the two operands. The first is replaced by the result.
    /// - Returns: the reason if there is no result, otherwise nil.
    func calculate(_ opcode: Opcode, _ values: UnsafeMutablePointer<Int>) -> Failure? {
        guard let sign = opcode.sign else { preconditionFailure("\(opcode) is not an operator") }
        do throws(Operator.NoResult) {
            values[0] = try sign.result(values[0], values[1])
            return nil
        } catch {
            return Failure(error)
        }
    }

    /// Reads or changes a list. On real threads other threads may change it at the same time, so its count is read
    /// once, and clamped to the bounds.
    ///
    /// - Parameter list: the list's words, or a copy of them.
    /// - Returns: the reason if the thread cannot continue, otherwise nil.
    func change(
        _ list: UnsafeMutablePointer<Int>, _ instruction: Instruction, _ top: inout UnsafeMutablePointer<Int>
    ) -> Stop? {
        let values = list + 1
        let count = min(max(list.pointee, 0), Bytecode.listCapacity)
        switch instruction.opcode {
        case .listAppend:
            top -= 1
            guard count < Bytecode.listCapacity else { return Stop(.fullList, line: instruction.line) }
            values[count] = top.pointee
            list.pointee = count + 1
        case .listRemoveFirst, .listRemoveLast:
            guard count > 0 else { return Stop(.emptyList, line: instruction.line) }
            let isFirst = instruction.opcode == .listRemoveFirst
            top.pointee = values[isFirst ? 0 : count - 1]
            top += 1
            if isFirst { for i in 1..<count { values[i - 1] = values[i] } }
            values[count - 1] = 0
            list.pointee = count - 1
        case .listRemoveAll:
            values.update(repeating: 0, count: count)
            list.pointee = 0
        case .listCount:
            top.pointee = count
            top += 1
        case .listGet:
            guard (0..<count).contains(top[-1]) else {
                return Stop(.outOfList, line: instruction.line, a: top[-1], b: count)
            }
            top[-1] = values[top[-1]]
        case .listSet:
            top -= 2
            guard (0..<count).contains(top[0]) else {
                return Stop(.outOfList, line: instruction.line, a: top[0], b: count)
            }
            values[top[0]] = top[1]
        default:  // `listEquals`
            let wantedCount = Int(instruction.b)
            top -= wantedCount
            var isEqual = count == wantedCount
            for i in 0..<min(count, wantedCount) where values[i] != top[i] { isEqual = false }
            top.pointee = isEqual ? 1 : 0
            top += 1
        }
        return nil
    }

    /// The values of the list whose words begin here.
    func list(_ start: Int) -> [Int] {
        let count = min(max(shared[start], 0), Bytecode.listCapacity)
        return (0..<count).map { shared[start + 1 + $0] }
    }

    /// The values that the list will have after the thread's next instruction, which changes it. Nothing changes yet.
    func list(_ start: Int, changedBy thread: UnsafeMutablePointer<Int>) -> [Int] {
        let instruction = code[thread[ThreadWords.programCounter]]
        switch instruction.opcode {
        case .listAppend, .listRemoveFirst, .listRemoveLast, .listRemoveAll, .listSet: break
        default: return list(start)
        }
        var words = [Int](repeating: 0, count: Bytecode.listCapacity + 1)
        let values = list(start)
        words[0] = values.count
        for (index, value) in values.enumerated() { words[index + 1] = value }
        // The instruction takes two values at most, and leaves one.
        let top = thread + thread[ThreadWords.stack]
        var stack = [top[-2], top[-1], 0]
        words.withUnsafeMutableBufferPointer { words in
            stack.withUnsafeMutableBufferPointer { stack in
                guard let list = words.baseAddress, var top = stack.baseAddress else { return }
                top += 2
                _ = change(list, instruction, &top)
            }
        }
        return Array(words[1..<1 + words[0]])
    }
}
