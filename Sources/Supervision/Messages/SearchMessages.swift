import Exploration
import Machine
import Trace

// What the processes of a search send to their parent, and how it is encoded.

extension SearchWorker {
    enum News {
        /// The report of the unit with this number in the agenda.
        case report(unit: Int, UnitReport)
        /// How an execution differed when it was repeated.
        case discrepancy(Discrepancy)
        /// The parts into which the search can be divided. Fewer than two: the process continues with the whole search.
        case division([SearchPart])
    }
}

extension SearchWorker.News: Message {
    private enum Kind: Int {
        case report, discrepancy, division
    }

    package func write(to words: inout WordWriter) {
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

    package init(from words: inout WordReader) throws(DamagedMessage) {
        switch try words.value(Kind.self) {
        case .report: self = .report(unit: try words.count(), try words.message())
        case .discrepancy: self = .discrepancy(try words.message())
        case .division: self = .division(try words.list())
        }
    }
}

// MARK: - The report of a unit

extension UnitReport: Message {
    package func write(to words: inout WordWriter) {
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

    package init(from words: inout WordReader) throws(DamagedMessage) {
        self.init()
        counts = try words.message()
        findings = try words.list()
        terminals.becomeShare()
        for row in try words.list(TerminalRow.init) { terminals.add(row.state, count: row.count) { row.schedule } }
        terminals.addOthers(try words.count())
        end = try words.value()
        distinct = try words.optional { words throws(DamagedMessage) in try words.count() }
        seenStates = Set(try words.list { words throws(DamagedMessage) in try words.count() })
        traces = try words.list { words throws(DamagedMessage) in UInt64(UInt(bitPattern: try words.word())) }
        obstacle = try words.optional()
    }
}

/// The encoding of a row of the table of terminal states.
private struct TerminalRow {
    let state: TerminalState
    let count: Int
    let schedule: Schedule

    package init(from words: inout WordReader) throws(DamagedMessage) {
        state = try words.message()
        count = try words.count()
        schedule = try words.message()
    }
}

extension SearchCounts: Message {
    package func write(to words: inout WordWriter) {
        for place in self.words.indices { words.add(self.words[place]) }
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        self.init()
        for place in self.words.indices { self.words[place] = try words.count() }
    }
}

extension Counterexample: Message {
    package func write(to words: inout WordWriter) {
        words.add(identity)
        words.add(schedule)
        words.add(steps)
        words.add(number)
        words.add(strategy.rawValue)
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        let identity: Identity = try words.message()
        self.init(
            identity.kind, place: identity.place, schedule: try words.message(), steps: try words.count(),
            number: try words.count(), strategy: try words.value())
    }
}

extension Counterexample.Identity: Message {
    package func write(to words: inout WordWriter) {
        words.add(kind.rawValue)
        words.add(place)
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(kind: try words.value(), place: try words.word())
    }
}

extension TerminalState: Message {
    package func write(to words: inout WordWriter) {
        words.add(kind.rawValue)
        words.add(memory) { words, word in
            words.add(word.object.word)
            words.add(word.value)
        }
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(
            try words.value(),
            try words.list { words throws(DamagedMessage) in
                MemoryWord(object: try words.object(), value: try words.word())
            })
    }
}

extension Obstacle: Message {
    private enum Kind: Int {
        case diverged, misjudged, time, sharedThread, tooLong, hiddenRace, sharedBudget
    }

    package func write(to words: inout WordWriter) {
        let (kind, value) =
            switch self {
            case .diverged(let choice): (Kind.diverged, choice)
            case .misjudged: (Kind.misjudged, 0)
            case .time: (Kind.time, 0)
            case .sharedThread: (Kind.sharedThread, 0)
            case .tooLong: (Kind.tooLong, 0)
            case .hiddenRace: (Kind.hiddenRace, 0)
            case .sharedBudget: (Kind.sharedBudget, 0)
            }
        words.add(kind.rawValue)
        words.add(value)
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        let kind = try words.value(Kind.self)
        let value = try words.count()
        self =
            switch kind {
            case .diverged: .diverged(choice: value)
            case .misjudged: .misjudged
            case .time: .time
            case .sharedThread: .sharedThread
            case .tooLong: .tooLong
            case .hiddenRace: .hiddenRace
            case .sharedBudget: .sharedBudget
            }
    }
}

extension WordReader {
    mutating func object() throws(DamagedMessage) -> ObjectIdentity {
        guard let object = ObjectIdentity(checked: try word()) else { throw DamagedMessage() }
        return object
    }
}

extension Schedule: Message {
    package func write(to words: inout WordWriter) { words.add(choices) { $0.add(Int($1.word)) } }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(
            try words.list { words throws(DamagedMessage) in
                guard let choice = Choice(checked: try words.number()) else { throw DamagedMessage() }
                return choice
            })
    }
}
