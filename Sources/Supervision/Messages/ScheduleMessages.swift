import Exploration
import Machine
import Trace

// How the results of shrinking, discrepancies and the parts of a divided search are encoded for other processes and for
// files.

// MARK: - The shrinking of a finding

extension Shrunk: Message {
    package func write(to words: inout WordWriter) {
        words.add(rehearsal)
        words.add(original)
        words.add(minimality.rawValue)
        // 0 stands for nil: a step limit is never 0.
        words.add(limit ?? 0)
        words.add(endedByTime ? 1 : 0)
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        let rehearsal: Rehearsal = try words.message()
        let original: ScheduleCost = try words.message()
        let minimality: Shrunk.Minimality = try words.value()
        let limit = try words.count()
        self.init(
            rehearsal, original: original, minimality, limit: limit == 0 ? nil : limit,
            endedByTime: try words.word() != 0)
    }
}

extension Rehearsal: Message {
    package func write(to words: inout WordWriter) {
        words.add(end)
        words.add(schedule)
        words.add(cost)
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(try words.optional(), try words.message(), try words.message())
    }
}

extension ScheduleCost: Message {
    package func write(to words: inout WordWriter) {
        words.add(preemptions)
        words.add(steps)
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(preemptions: try words.count(), steps: try words.count())
    }
}

// MARK: - An execution that differs

extension Discrepancy: Message {
    private enum Kind: Int {
        case repetition, foreignThread
    }

    package func write(to words: inout WordWriter) {
        switch self {
        case .repetition(let difference):
            words.add(Kind.repetition.rawValue)
            words.add(difference.number)
            words.add(difference.first)
            words.add(difference.second)
            words.add(difference.cause) { $0.add($1) }
        case .foreignThread(let sentence):
            words.add(Kind.foreignThread.rawValue)
            words.add(sentence)
        }
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        switch try words.value(Kind.self) {
        case .repetition:
            self.init(
                number: try words.count(), first: try words.optional(), second: try words.optional(),
                cause: try words.optional { words throws(DamagedMessage) in try words.text() })
        case .foreignThread: self = .foreignThread(try words.text())
        }
    }
}

extension Discrepancy.Step: Message {
    package func write(to words: inout WordWriter) {
        words.add(thread)
        words.add(Int(operation.kind.rawValue))
        words.add(Int(operation.object))
        words.add(operation.a)
        words.add(operation.b)
        words.add(Int(operation.orders.bits))
        words.add(line) { $0.add($1) }
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(
            thread: Int(try words.number(UInt16.self)),
            operation: Operation(
                try words.value(), try words.number(), try words.word(), try words.word(),
                orders: Operation.Orders(bits: try words.number())),
            line: try words.optional { words throws(DamagedMessage) in try words.text() })
    }
}

// MARK: - The parts of a divided search

extension SearchPart: Message {
    private enum Kind: Int {
        case orders, branches, member
    }

    package func write(to words: inout WordWriter) {
        switch self {
        case .orders(let orders):
            words.add(Kind.orders.rawValue)
            words.add(orders)
        case .branches(let branches):
            words.add(Kind.branches.rawValue)
            words.add(branches) { words, branch in
                words.add(branch.number)
                words.add(branch.count)
            }
        case .member(let member):
            words.add(Kind.member.rawValue)
            words.add(member.number)
            words.add(member.count)
        }
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        switch try words.value(Kind.self) {
        case .orders: self = .orders(try words.list())
        case .branches:
            self = .branches(
                try words.list { words throws(DamagedMessage) in
                    let number = try words.count()
                    return Branch(number, of: try words.count())
                })
        case .member:
            let number = try words.count()
            self = .member(Member(number, of: try words.count()))
        }
    }
}

extension SearchPart.Order: Message {
    package func write(to words: inout WordWriter) {
        words.add(earlier)
        words.add(later)
        words.add(needsEarlier ? 1 : 0)
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        let earlier: OrderedStep = try words.message()
        let later: OrderedStep = try words.message()
        self.init(earlier, before: later, needsEarlier: try words.word() != 0)
    }
}

extension OrderedStep: Message {
    package func write(to words: inout WordWriter) {
        words.add(Int(thread))
        words.add(object.word)
        words.add(number)
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        let thread = try words.number(UInt16.self)
        let object = try words.object()
        self.init(thread: thread, object: object, number: try words.count())
    }
}
