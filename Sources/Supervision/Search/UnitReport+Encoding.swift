import Exploration
import Machine
import Trace

extension UnitReport {
    func write(to words: inout WordWriter) {
        counts.write(to: &words)
        words.add(findings) { $1.write(to: &$0) }
        words.add(terminals.rows) { words, row in
            row.state.write(to: &words)
            words.add(row.count)
            row.schedule.write(to: &words)
        }
        words.add(terminals.others)
        words.add(end.rawValue)
        words.add(distinct) { $0.add($1) }
        words.add(seenStates.sorted()) { $0.add($1) }
        words.add(traces) { $0.add(Int(bitPattern: UInt($1))) }
        words.add(obstacle) { $1.write(to: &$0) }
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        self.init()
        counts = try SearchCounts(from: &words)
        findings = try words.list(Counterexample.init)
        for row in try words.list(TerminalRow.init) { terminals.add(row.state, count: row.count) { row.schedule } }
        terminals.addOthers(try words.count())
        end = try words.value()
        distinct = try words.optional { words throws(DamagedMessage) in try words.count() }
        seenStates = Set(try words.list { words throws(DamagedMessage) in try words.count() })
        traces = try words.list { words throws(DamagedMessage) in UInt64(UInt(bitPattern: try words.word())) }
        obstacle = try words.optional(Obstacle.init)
    }
}

extension Obstacle {
    private enum Kind: Int {
        case diverged, misjudged, time
    }

    fileprivate func write(to words: inout WordWriter) {
        let (kind, value) =
            switch self {
            case .diverged(let choice): (Kind.diverged, choice)
            case .misjudged: (Kind.misjudged, 0)
            case .time: (Kind.time, 0)
            }
        words.add(kind.rawValue)
        words.add(value)
    }

    fileprivate init(from words: inout WordReader) throws(DamagedMessage) {
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

extension SearchCounts {
    fileprivate func write(to words: inout WordWriter) {
        for count in [
            executions, steps, longest, cutOff, redundant, timed, spent, states, moves, memory, open, depth,
        ] { words.add(count) }
    }

    fileprivate init(from words: inout WordReader) throws(DamagedMessage) {
        self.init()
        executions = try words.count()
        steps = try words.count()
        longest = try words.count()
        cutOff = try words.count()
        redundant = try words.count()
        timed = try words.count()
        spent = try words.count()
        states = try words.count()
        moves = try words.count()
        memory = try words.count()
        open = try words.count()
        depth = try words.count()
    }
}

/// The encoding of a row of the table of terminal states.
private struct TerminalRow {
    let state: TerminalState
    let count: Int
    let schedule: Schedule

    init(from words: inout WordReader) throws(DamagedMessage) {
        state = try TerminalState(from: &words)
        count = try words.count()
        schedule = try Schedule(from: &words)
    }
}

extension Counterexample {
    fileprivate func write(to words: inout WordWriter) {
        words.add(kind.rawValue)
        words.add(place)
        schedule.write(to: &words)
        words.add(steps)
        words.add(number)
        words.add(strategy.rawValue)
    }

    fileprivate init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(
            try words.value(), place: try words.word(), schedule: try Schedule(from: &words),
            steps: try words.count(), number: try words.count(), strategy: try words.value())
    }
}

extension TerminalState {
    fileprivate func write(to words: inout WordWriter) {
        words.add(kind.rawValue)
        words.add(memory) { words, word in
            words.add(word.object.word)
            words.add(word.value)
        }
    }

    fileprivate init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(
            try words.value(),
            try words.list { words throws(DamagedMessage) in
                MemoryWord(object: ObjectIdentity(word: try words.word()), value: try words.word())
            })
    }
}

extension Schedule {
    func write(to words: inout WordWriter) { words.add(choices) { $0.add(Int($1.word)) } }

    init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(try words.list { words throws(DamagedMessage) in Choice(word: try words.number()) })
    }
}
