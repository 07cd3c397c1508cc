import Exploration
import Machine
import Trace

extension Rehearsal {
    func write(to words: inout WordWriter) {
        words.add(end) { words, end in
            words.add(end.kind.rawValue)
            words.add(end.place)
        }
        schedule.write(to: &words)
        cost.write(to: &words)
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(
            try words.optional(Counterexample.Identity.init), try Schedule(from: &words), try ScheduleCost(from: &words)
        )
    }
}

extension Counterexample.Identity {
    fileprivate init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(kind: try words.value(), place: try words.word())
    }
}

extension ScheduleCost {
    func write(to words: inout WordWriter) {
        words.add(preemptions)
        words.add(steps)
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(preemptions: try words.count(), steps: try words.count())
    }
}
