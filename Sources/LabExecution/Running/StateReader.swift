import LabProgram
import LabSyntax

/// Evaluates expressions of a program outside of its threads, without steps: the values that they have now. Messages
/// show these values.
struct StateReader {
    private let bytecode: Bytecode
    private let thread: UnsafeMutablePointer<Int>
    private let shared: UnsafeMutablePointer<Int>
    private let word: (UInt32) -> Int

    /// - Parameters:
    ///   - thread: the words of the thread whose variables the expressions use.
    ///   - shared: the run's shared words.
    ///   - word: returns the value of the object with this number.
    init(
        _ bytecode: Bytecode, _ thread: UnsafeMutablePointer<Int>, shared: UnsafeMutablePointer<Int>,
        _ word: @escaping (UInt32) -> Int
    ) {
        self.bytecode = bytecode
        self.thread = thread
        self.shared = shared
        self.word = word
    }

    /// The expression's value. Nil: it has none, or only a thread can evaluate it, such as a call or a choice.
    func value(of expression: Program.Expression) -> Int? {
        switch expression.kind {
        case .constant(let value): return value
        case .parameter(let number): return bytecode.configuration.arguments[number]
        case .slot(let slot): return thread[thread[ThreadWords.frame] + slot]
        case .index: return thread[ThreadWords.index]
        case .negate(let operand): return value(of: operand).flatMap { try? Operator.subtract.result(0, $0) }
        case .invert(let operand): return value(of: operand).map { ~$0 }
        case .absolute(let operand):
            return value(of: operand).flatMap { $0 < 0 ? try? Operator.subtract.result(0, $0) : $0 }
        case .not(let operand): return value(of: operand).map { $0 == 0 ? 1 : 0 }
        case .binary(let sign, let left, let right):
            guard let left = value(of: left), let right = value(of: right) else { return nil }
            return try? sign.result(left, right)
        case .and(let left, let right): return combined(value(of: left), value(of: right), decisive: 0)
        case .or(let left, let right): return combined(value(of: left), value(of: right), decisive: 1)
        case .read(let place): return value(at: place)
        case .equals(let list, let expected):
            let values = expected.compactMap(value)
            guard values.count == expected.count, let found = self.list(number(list)) else { return nil }
            return Array(found) == values ? 1 : 0
        case .perform(.count, let place, _): return list(number(place.object))?.count
        case .perform(.operation(let kind, _, _), let place, _): return kind.isLook ? value(at: place) : nil
        case .perform, .call, .choose: return nil
        }
    }

    /// The result of `&&` or `||`, as far as the known operands decide it.
    ///
    /// - Parameter decisive: the value of an operand that decides the result alone.
    private func combined(_ left: Int?, _ right: Int?, decisive: Int) -> Int? {
        if left == decisive || right == decisive { return decisive }
        return left == nil || right == nil ? nil : 1 - decisive
    }

    /// The value of a cell, an atomic or a semaphore, or of an element of an array or a list.
    func value(at place: Program.Place) -> Int? {
        if let list = list(number(place.object)) {
            guard let index = place.index.flatMap(value), list.indices.contains(index) else { return nil }
            return list[index]
        }
        return number(of: place).map { word(UInt32($0)) }
    }

    /// The number of an object or of an array's element. For a list's element, it is the number of the list.
    func number(of place: Program.Place) -> Int? {
        let first = number(place.object)
        guard let index = place.index, bytecode.listStart[first] == nil else { return first }
        guard let element = value(of: index),
            (0..<bytecode.configuration.elementCounts[place.object]).contains(element)
        else { return nil }
        return first + element
    }

    /// An object's value as the language writes it; for a list, its current values.
    func text(of number: Int, value: Int) -> String {
        let object = bytecode.firstObject.lastIndex { $0 <= number } ?? 0
        switch bytecode.program.objects[object].kind {
        case .cell(let type), .atomic(let type): return type.text(of: value)
        case .list(let type): return "[\((list(number).map(Array.init) ?? []).map(type.text).joined(separator: ", "))]"
        case .semaphore, .mutex, .readWriteLock, .condition, .built: return "\(value)"
        }
    }

    /// The values of a list. Nil: the object is not a list.
    func list(_ number: Int) -> UnsafeMutableBufferPointer<Int>? {
        guard let start = bytecode.listStart[number] else { return nil }
        let count = min(max(shared[start], 0), Bytecode.listCapacity)
        return UnsafeMutableBufferPointer(start: shared + start + 1, count: count)
    }

    private func number(_ object: Int) -> Int { bytecode.firstObject[object] }
}

extension LabRun {
    /// Reads the run's present state, with the variables of the thread that has these words.
    func state(of words: UnsafeMutablePointer<Int>) -> StateReader {
        StateReader(bytecode, words, shared: shared.base) { [unowned(unsafe) self] in word(of: $0) }
    }
}
