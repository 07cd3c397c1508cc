import Exploration
import Machine

extension Discrepancy {
    private enum Kind: Int {
        case repetition, foreignThread
    }

    func write(to words: inout WordWriter) {
        switch self {
        case .repetition(let difference):
            words.add(Kind.repetition.rawValue)
            words.add(difference.number)
            for step in [difference.first, difference.second] { words.add(step) { $1.write(to: &$0) } }
        case .foreignThread(let sentence):
            words.add(Kind.foreignThread.rawValue)
            words.add(sentence)
        }
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        switch try words.value(Kind.self) {
        case .repetition:
            self.init(
                number: try words.count(), first: try words.optional(Step.init), second: try words.optional(Step.init))
        case .foreignThread: self = .foreignThread(try words.text())
        }
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
