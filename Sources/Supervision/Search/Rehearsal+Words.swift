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
        words.add(cost.preemptions)
        words.add(cost.steps)
    }

    init(from words: inout WordReader) {
        self.init(
            words.optional { Finding.Identity(kind: OutcomeKind(rawValue: $0.text())!, place: $0.word()) },
            Schedule(from: &words), ScheduleCost(preemptions: words.word(), steps: words.word()))
    }
}
