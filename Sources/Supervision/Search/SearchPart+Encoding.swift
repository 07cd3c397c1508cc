import Exploration
import Machine

extension SearchPart {
    func write(to words: inout WordWriter) { words.add(orders) { $1.write(to: &$0) } }

    init(from words: inout WordReader) throws(DamagedMessage) { self.init(try words.list(Order.init)) }
}

extension SearchPart.Order {
    fileprivate func write(to words: inout WordWriter) {
        earlier.write(to: &words)
        later.write(to: &words)
        words.add(needsEarlier ? 1 : 0)
    }

    fileprivate init(from words: inout WordReader) throws(DamagedMessage) {
        let earlier = try OrderedStep(from: &words)
        let later = try OrderedStep(from: &words)
        self.init(earlier, before: later, needsEarlier: try words.word() != 0)
    }
}

extension OrderedStep {
    fileprivate func write(to words: inout WordWriter) {
        words.add(Int(thread))
        words.add(object.word)
        words.add(number)
    }

    fileprivate init(from words: inout WordReader) throws(DamagedMessage) {
        let thread = try words.number(UInt16.self)
        let object = ObjectIdentity(word: try words.word())
        self.init(thread: thread, object: object, number: try words.count())
    }
}
