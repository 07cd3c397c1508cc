import LabProgram
import LabSyntax
import Trace

/// A thread that waits for a condition while a test is true: `while queue.isEmpty { changed.wait() }`.
struct TestingWaiter: @unchecked Sendable {
    let thread: ThreadID
    let condition: UInt32
    let test: Program.Expression
    /// The thread's own words, which do not change while it waits.
    let words: UnsafeMutablePointer<Int>
    /// Whether the test is false, so that it need not wait.
    var isMet = false
}

/// Evaluates expressions of the program outside of its threads, without a step: what they would be now.
struct StateReader {
    private let bytecode: Bytecode
    private let thread: UnsafeMutablePointer<Int>
    private let shared: UnsafeMutablePointer<Int>
    private let word: (UInt32) -> Int

    /// - Parameters:
    ///   - thread: the words of the thread whose variables are meant.
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

    /// Nil: it has no value, or has one only when a thread evaluates it: a call, a choice.
    func value(of expression: Program.Expression) -> Int? {
        switch expression.kind {
        case .constant(let value): return value
        case .parameter(let number): return bytecode.configuration.arguments[number]
        case .slot(let slot): return thread[thread[ThreadWords.frame] + slot]
        case .index: return thread[ThreadWords.index]
        case .negate(let operand): return value(of: operand).flatMap { try? Operator.subtract.result(0, $0) }
        case .invert(let operand): return value(of: operand).map { ~$0 }
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
        case .perform(.operation(let kind, _), let place, _): return kind.isLook ? value(at: place) : nil
        case .perform, .call, .choose: return nil
        }
    }

    /// One operand alone can decide the result.
    private func combined(_ left: Int?, _ right: Int?, decisive: Int) -> Int? {
        if left == decisive || right == decisive { return decisive }
        return left == nil || right == nil ? nil : 1 - decisive
    }

    /// The value of a cell, an atomic or a semaphore, or of an element of an array or a list.
    func value(at place: Program.Place) -> Int? {
        let index: Int?
        if let subscripted = place.index {
            guard let value = value(of: subscripted) else { return nil }
            index = value
        } else {
            index = nil
        }
        if let list = list(number(place.object)) {
            return index.flatMap { list.indices.contains($0) ? list[$0] : nil }
        }
        let element = index ?? 0
        guard (0..<bytecode.configuration.elementCounts[place.object]).contains(element) else { return nil }
        return word(UInt32(number(place.object) + element))
    }

    /// The values of a list. Nil: the object is none.
    func list(_ number: Int) -> UnsafeMutableBufferPointer<Int>? {
        guard let start = bytecode.listStart[number] else { return nil }
        let count = min(max(shared[start], 0), Bytecode.listCapacity)
        return UnsafeMutableBufferPointer(start: shared + start + 1, count: count)
    }

    private func number(_ object: Int) -> Int { bytecode.firstObject[object] }
}
