import Diagnosis
import Trace

extension Evidence {
    func write(to words: inout WordWriter) {
        words.add(runtime.rawValue)
        words.add(runs)
        extent.write(to: &words)
        words.add(sightings) { $1.write(to: &$0) }
        words.add(seenStates.sorted()) { $0.add($1) }
        words.add(discrepancy) { $0.add($1) }
    }

    init(from words: inout WordReader) {
        self.init(
            TraceHeader.Runtime(rawValue: words.text())!, runs: words.word(), Extent(from: &words),
            sightings: words.list { Sighting(from: &$0) }, seenStates: Set(words.list { $0.word() }),
            discrepancy: words.optional { $0.text() })
    }
}

extension Extent {
    fileprivate func write(to words: inout WordWriter) {
        switch self {
        case .all(let traces, let passesTime):
            words.add("")
            words.add(traces)
            words.add(passesTime ? 1 : 0)
        case .part(let limit): words.add(limit.rawValue)
        }
    }

    fileprivate init(from words: inout WordReader) {
        let limit = Limit(rawValue: words.text())
        self = limit.map { .part($0) } ?? .all(traces: words.word(), passesTime: words.word() != 0)
    }
}

extension Evidence.Sighting {
    fileprivate func write(to words: inout WordWriter) {
        words.add(count)
        words.add(outcome.kind.rawValue)
        words.add(outcome.summary)
        words.add(outcome.details) { $0.add($1) }
        words.add(outcome.guide) { $0.add($1) }
        words.add(first) { words, first in
            words.add(first.number)
            words.add(first.schedule)
        }
    }

    fileprivate init(from words: inout WordReader) {
        self.init(
            count: words.word(),
            outcome: Outcome(
                OutcomeKind(rawValue: words.text())!, summary: words.text(), details: words.list { $0.text() },
                guide: words.optional { $0.text() }),
            first: words.optional { Evidence.Execution(number: $0.word(), schedule: $0.text()) })
    }
}
