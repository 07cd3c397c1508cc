import LabSyntax

/// Instructions that compute values.
extension Interpreter {
    @inline(__always) func compare(_ top: inout UnsafeMutablePointer<Int>, _ holds: (Int, Int) -> Bool) {
        top -= 1
        top[-1] = holds(top[-1], top[0]) ? 1 : 0
    }

    /// Applies an operator.
    ///
    /// - Parameter values: the two operands. The first is replaced by the result.
    func calculate(_ opcode: Opcode, _ values: UnsafeMutablePointer<Int>) -> Failure? {
        guard let sign = opcode.sign else { preconditionFailure("\(opcode) is not an operator") }
        do throws(Operator.NoResult) {
            values[0] = try sign.result(values[0], values[1])
            return nil
        } catch {
            return Failure(error)
        }
    }

    /// Reads or changes a list. On real threads others may do so at the same time: each value is read once, and limited
    /// to its bounds.
    func changeList(_ instruction: Instruction, _ top: inout UnsafeMutablePointer<Int>) -> Stop? {
        let list = shared + Int(instruction.a)
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
        default:
            let wanted = Int(instruction.b)
            top -= wanted
            var isEqual = count == wanted
            for i in 0..<min(count, wanted) where values[i] != top[i] { isEqual = false }
            top.pointee = isEqual ? 1 : 0
            top += 1
        }
        return nil
    }
}
