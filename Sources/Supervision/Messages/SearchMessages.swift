import Exploration
import Machine
import Trace

// What the processes of a search send to their parent.

extension SearchWorker {
    enum News {
        /// The report of a unit, by its number in the agenda.
        case report(unit: Int, UnitReport)
        /// An execution differs when it is repeated, and how.
        case discrepancy(Discrepancy)
        /// How the search can be divided. Fewer than two parts: the process continues with the search as a whole.
        case division([SearchPart])
    }
}

extension SearchWorker.News: Message {
    private enum Kind: Int {
        case report, discrepancy, division
    }

    func write(to words: inout WordWriter) {
        switch self {
        case .report(let unit, let report):
            words.add(Kind.report.rawValue)
            words.add(unit)
            words.add(report)
        case .discrepancy(let discrepancy):
            words.add(Kind.discrepancy.rawValue)
            words.add(discrepancy)
        case .division(let parts):
            words.add(Kind.division.rawValue)
            words.add(parts)
        }
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        switch try words.value(Kind.self) {
        case .report: self = .report(unit: try words.count(), try words.message())
        case .discrepancy: self = .discrepancy(try words.message())
        case .division: self = .division(try words.message())
        }
    }
}

// MARK: - The report of a unit

extension UnitReport: Message {
    func write(to words: inout WordWriter) {
        words.add(counts)
        words.add(findings)
        words.add(terminals.rows) { words, row in
            words.add(row.state)
            words.add(row.count)
            words.add(row.schedule)
        }
        words.add(terminals.others)
        words.add(end.rawValue)
        words.add(distinct) { $0.add($1) }
        words.add(seenStates.sorted()) { $0.add($1) }
        words.add(traces) { $0.add(Int(bitPattern: UInt($1))) }
        words.add(obstacle)
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        self.init()
        counts = try words.message()
        findings = try words.message()
        for row in try words.list(TerminalRow.init) { terminals.add(row.state, count: row.count) { row.schedule } }
        terminals.addOthers(try words.count())
        end = try words.value()
        distinct = try words.optional { words throws(DamagedMessage) in try words.count() }
        seenStates = Set(try words.list { words throws(DamagedMessage) in try words.count() })
        traces = try words.list { words throws(DamagedMessage) in UInt64(UInt(bitPattern: try words.word())) }
        obstacle = try words.message()
    }
}

/// The encoding of a row of the table of terminal states.
private struct TerminalRow {
    let state: TerminalState
    let count: Int
    let schedule: Schedule

    init(from words: inout WordReader) throws(DamagedMessage) {
        state = try words.message()
        count = try words.count()
        schedule = try words.message()
    }
}

extension SearchCounts: Message {
    func write(to words: inout WordWriter) {
        for place in self.words.indices { words.add(self.words[place]) }
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        self.init()
        for place in self.words.indices { self.words[place] = try words.count() }
    }
}

extension Counterexample: Message {
    func write(to words: inout WordWriter) {
        words.add(identity)
        words.add(schedule)
        words.add(steps)
        words.add(number)
        words.add(strategy.rawValue)
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        let identity: Identity = try words.message()
        self.init(
            identity.kind, place: identity.place, schedule: try words.message(), steps: try words.count(),
            number: try words.count(), strategy: try words.value())
    }
}

extension Counterexample.Identity: Message {
    func write(to words: inout WordWriter) {
        words.add(kind.rawValue)
        words.add(place)
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(kind: try words.value(), place: try words.word())
    }
}

extension TerminalState: Message {
    func write(to words: inout WordWriter) {
        words.add(kind.rawValue)
        words.add(memory) { words, word in
            words.add(word.object.word)
            words.add(word.value)
        }
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(
            try words.value(),
            try words.list { words throws(DamagedMessage) in
                MemoryWord(object: ObjectIdentity(word: try words.word()), value: try words.word())
            })
    }
}

extension Obstacle: Message {
    private enum Kind: Int {
        case diverged, misjudged, time
    }

    func write(to words: inout WordWriter) {
        let (kind, value) =
            switch self {
            case .diverged(let choice): (Kind.diverged, choice)
            case .misjudged: (Kind.misjudged, 0)
            case .time: (Kind.time, 0)
            }
        words.add(kind.rawValue)
        words.add(value)
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        let kind = try words.value(Kind.self)
        let value = try words.count()
        self =
            switch kind {
            case .diverged: .diverged(choice: value)
            case .misjudged: .misjudged
            case .time: .time
            }
    }
}

extension Schedule: Message {
    func write(to words: inout WordWriter) { words.add(choices) { $0.add(Int($1.word)) } }

    init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(try words.list { words throws(DamagedMessage) in Choice(word: try words.number()) })
    }
}

// MARK: - The shrinking of a finding

extension Shrunk: Message {
    func write(to words: inout WordWriter) {
        words.add(rehearsal)
        words.add(original)
        words.add(minimality.rawValue)
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(try words.message(), original: try words.message(), try words.value())
    }
}

extension Rehearsal: Message {
    func write(to words: inout WordWriter) {
        words.add(end)
        words.add(schedule)
        words.add(cost)
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(try words.message(), try words.message(), try words.message())
    }
}

extension ScheduleCost: Message {
    func write(to words: inout WordWriter) {
        words.add(preemptions)
        words.add(steps)
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(preemptions: try words.count(), steps: try words.count())
    }
}

// MARK: - An execution that differs

extension Discrepancy: Message {
    private enum Kind: Int {
        case repetition, foreignThread
    }

    func write(to words: inout WordWriter) {
        switch self {
        case .repetition(let difference):
            words.add(Kind.repetition.rawValue)
            words.add(difference.number)
            words.add(difference.first)
            words.add(difference.second)
        case .foreignThread(let sentence):
            words.add(Kind.foreignThread.rawValue)
            words.add(sentence)
        }
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        switch try words.value(Kind.self) {
        case .repetition:
            self.init(number: try words.count(), first: try words.message(), second: try words.message())
        case .foreignThread: self = .foreignThread(try words.text())
        }
    }
}

extension Discrepancy.Step: Message {
    func write(to words: inout WordWriter) {
        words.add(thread)
        words.add(Int(operation.kind.rawValue))
        words.add(Int(operation.object))
        words.add(operation.a)
        words.add(operation.b)
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(
            thread: Int(try words.number(UInt16.self)),
            operation: Operation(
                try words.value(), try words.number(), try words.word(), try words.word()))
    }
}

// MARK: - The parts of a divided search

extension SearchPart: Message {
    func write(to words: inout WordWriter) { words.add(orders) }

    init(from words: inout WordReader) throws(DamagedMessage) { self.init(try words.message()) }
}

extension SearchPart.Order: Message {
    func write(to words: inout WordWriter) {
        words.add(earlier)
        words.add(later)
        words.add(needsEarlier ? 1 : 0)
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        let earlier: OrderedStep = try words.message()
        let later: OrderedStep = try words.message()
        self.init(earlier, before: later, needsEarlier: try words.word() != 0)
    }
}

extension OrderedStep: Message {
    func write(to words: inout WordWriter) {
        words.add(Int(thread))
        words.add(object.word)
        words.add(number)
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        let thread = try words.number(UInt16.self)
        let object = ObjectIdentity(word: try words.word())
        self.init(thread: thread, object: object, number: try words.count())
    }
}
