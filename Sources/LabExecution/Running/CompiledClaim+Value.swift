import Execution
import Machine

extension CompiledClaim {
    /// Evaluates the claim at the end.
    ///
    /// - Parameter word: returns the value of the object with this number.
    /// - Throws: `AssertionFailed`, if it has no value.
    func value(_ bytecode: Bytecode, _ interpreter: Interpreter, _ word: (UInt32) -> Int) throws -> Int {
        let compiled = bytecode.bodies[body]
        let memory = OwnedBuffer<Int>(capacity: compiled.words)
        let words = memory.base
        defer { extendLifetime(memory) }
        ThreadWords.begin(words, compiled, index: 0)
        var patience = Bytecode.patience
        var stop = Stop(.ended, line: 0)
        var operation = Operation(.yield)
        while true {
            switch interpreter.advance(words, patience: &patience, &operation, &stop) {
            case .operation: interpreter.complete(words, word(operation.object))
            case .ended: return words[ThreadWords.count]
            default: throw AssertionFailed(bytecode.message(of: stop, words), at: .unknown)
            }
        }
    }

    /// The reason why the value is wrong, or nil.
    func failure(_ value: Int) -> String? {
        switch kind {
        case .always: value != 0 ? nil : "at the end, '\(text)' does not hold"
        case .never: value == 0 ? nil : "at the end, '\(text)' does not hold"
        case .sometimes: nil
        case .outcomes: value != 0 ? nil : "the values at the end are not among the outcomes that are expected"
        }
    }

    /// The text of a state that some run must end in, if this run did.
    func seenState(_ value: Int) -> String? {
        switch kind {
        case .always, .never: nil
        case .sometimes: value != 0 ? text : nil
        case .outcomes(let rows): value > 0 ? rows[value - 1] : nil
        }
    }
}
