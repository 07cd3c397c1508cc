import Exploration
import Machine

extension Discrepancy {
    func write(to words: inout WordWriter) {
        words.add(number)
        for step in [first, second] { words.add(step) { $1.write(to: &$0) } }
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(
            number: try words.count(), first: try words.optional(Step.init), second: try words.optional(Step.init))
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

    fileprivate init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(
            thread: Int(try words.number(UInt16.self)),
            operation: Operation(
                try words.value(), try words.number(), try words.word(), try words.word()))
    }
}
