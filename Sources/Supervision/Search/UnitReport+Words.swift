import Exploration
import Machine
import Trace

extension UnitReport {
    func write(to words: inout WordWriter) {
        for count in [
            counts.executions, counts.steps, counts.longest, counts.cutOff, counts.redundant, counts.timed,
            counts.spent,
        ] {
            words.add(count)
        }
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
        words.add(obstacle) { $0.add($1) }
    }

    init(from words: inout WordReader) {
        self.init()
        counts.executions = words.word()
        counts.steps = words.word()
        counts.longest = words.word()
        counts.cutOff = words.word()
        counts.redundant = words.word()
        counts.timed = words.word()
        counts.spent = words.word()
        findings = words.list { Finding(from: &$0) }
        for _ in 0..<words.word() {
            let state = TerminalState(from: &words)
            let count = words.word()
            let schedule = Schedule(from: &words)
            terminals.add(state, count: count) { schedule }
        }
        terminals.addOthers(words.word())
        end = End(rawValue: words.word())!
        distinct = words.optional { $0.word() }
        seenStates = Set(words.list { $0.word() })
        traces = words.list { UInt64(UInt(bitPattern: $0.word())) }
        obstacle = words.optional { $0.text() }
    }
}

extension Finding {
    fileprivate func write(to words: inout WordWriter) {
        words.add(kind.rawValue)
        words.add(place)
        schedule.write(to: &words)
        words.add(steps)
        words.add(number)
        words.add(strategy.rawValue)
    }

    fileprivate init(from words: inout WordReader) {
        self.init(
            OutcomeKind(rawValue: words.text())!, place: words.word(), schedule: Schedule(from: &words),
            steps: words.word(), number: words.word(), strategy: StrategyChoice(rawValue: words.text())!)
    }
}

extension TerminalState {
    fileprivate func write(to words: inout WordWriter) {
        words.add(kind.rawValue)
        words.add(memory) { words, word in
            words.add(word.object)
            words.add(word.value)
        }
    }

    fileprivate init(from words: inout WordReader) {
        self.init(
            OutcomeKind(rawValue: words.text())!,
            words.list { MemoryWord(object: $0.word(), value: $0.word()) })
    }
}

extension Schedule {
    func write(to words: inout WordWriter) { words.add(choices) { $0.add(Int($1.word)) } }

    init(from words: inout WordReader) {
        self.init(words.list { Choice(word: UInt32(truncatingIfNeeded: $0.word())) })
    }
}
