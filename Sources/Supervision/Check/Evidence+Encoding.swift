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

    init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(
            try words.value(), runs: try words.word(), try Extent(from: &words),
            sightings: try words.list(Sighting.init),
            seenStates: Set(try words.list { words throws(DamagedMessage) in try words.word() }),
            discrepancy: try words.optional { words throws(DamagedMessage) in try words.text() })
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

    fileprivate init(from words: inout WordReader) throws(DamagedMessage) {
        let text = try words.text()
        if text.isEmpty {
            self = .all(traces: try words.word(), passesTime: try words.word() != 0)
        } else if let limit = Limit(rawValue: text) {
            self = .part(limit)
        } else {
            throw DamagedMessage()
        }
    }
}

extension Evidence.Sighting {
    fileprivate func write(to words: inout WordWriter) {
        words.add(count)
        outcome.write(to: &words)
        words.add(first) { words, first in
            words.add(first.number)
            words.add(first.schedule)
        }
    }

    fileprivate init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(
            count: try words.count(), outcome: try Outcome(from: &words),
            first: try words.optional { words throws(DamagedMessage) in
                Evidence.Execution(number: try words.count(), schedule: try words.text())
            })
    }
}

extension Outcome {
    fileprivate func write(to words: inout WordWriter) {
        words.add(kind.rawValue)
        words.add(summary)
        words.add(details) { $0.add($1) }
        words.add(guide) { $0.add($1) }
    }

    fileprivate init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(
            try words.value(), summary: try words.text(),
            details: try words.list { words throws(DamagedMessage) in try words.text() },
            guide: try words.optional { words throws(DamagedMessage) in try words.text() })
    }
}
