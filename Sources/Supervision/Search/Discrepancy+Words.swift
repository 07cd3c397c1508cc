import Exploration
import Machine

extension Discrepancy {
    func write(to words: inout WordWriter) {
        words.add(number)
        for step in [first, second] { words.add(step) { $1.write(to: &$0) } }
    }

    init(from words: inout WordReader) {
        self.init(
            number: words.word(), first: words.optional { Step(from: &$0) },
            second: words.optional { Step(from: &$0) })
    }
}

extension Discrepancy.Step {
    fileprivate func write(to words: inout WordWriter) {
        words.add(thread)
        words.add(Int(operation.kind.rawValue))
        words.add(Int(operation.object))
        words.add(operation.a)
        words.add(operation.b)
    }

    fileprivate init(from words: inout WordReader) {
        self.init(
            thread: words.word(),
            operation: Operation(
                Operation.Kind(rawValue: UInt8(words.word()))!, UInt32(words.word()), words.word(), words.word()))
    }
}
