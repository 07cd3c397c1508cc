import Diagnosis
import Trace

extension Evidence {
    func write(to words: inout WordWriter) {
        words.add(runtime.rawValue)
        words.add(runs)
        extent.write(to: &words)
        words.add(sightings) { $1.write(to: &$0) }
        words.add(seenStates.sorted()) { $0.add($1) }
        words.add(examined)
        words.add(warnings) { $1.write(to: &$0) }
        words.add(discrepancy) { $0.add($1) }
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(
            try words.value(), runs: try words.word(), try Extent(from: &words),
            sightings: try words.list(Sighting.init),
            seenStates: Set(try words.list { words throws(DamagedMessage) in try words.word() }),
            examined: try words.count(), warnings: try words.list(Warning.init),
            discrepancy: try words.optional { words throws(DamagedMessage) in try words.text() })
    }
}

extension Evidence {
    /// For a file: `init(bytes:)` reads it again.
    package var bytes: [UInt8] {
        var words = WordWriter()
        write(to: &words)
        return words.words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }

    /// Nil if the bytes are not those of evidence, whatever they are.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count % 8 == 0 else { return nil }
        var words: [Int] = []
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            words.append(rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) })
            rest = rest.dropFirst(8)
        }
        var reader = WordReader(words[...])
        guard let evidence = try? Evidence(from: &reader), reader.isEmpty else { return nil }
        self = evidence
    }
}

extension Extent {
    fileprivate func write(to words: inout WordWriter) {
        switch self {
        case .all(let explored, let passesTime):
            words.add(explored.kind.rawValue)
            words.add(explored.count)
            words.add(passesTime ? 1 : 0)
        case .part(let limit): words.add(limit.rawValue)
        }
    }

    fileprivate init(from words: inout WordReader) throws(DamagedMessage) {
        let text = try words.text()
        if let kind = Explored.Kind(rawValue: text) {
            self = .all(Explored(kind, try words.word()), passesTime: try words.word() != 0)
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
        words.add(first) { $1.write(to: &$0) }
        words.add(place) { words, place in
            words.add(place.file)
            words.add(place.line)
        }
    }

    fileprivate init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(
            count: try words.count(), outcome: try Outcome(from: &words),
            first: try words.optional(Evidence.Execution.init),
            place: try words.optional { words throws(DamagedMessage) in
                Evidence.Place(file: try words.text(), line: try words.count())
            })
    }
}

extension Evidence.Execution {
    fileprivate func write(to words: inout WordWriter) {
        words.add(number)
        words.add(schedule)
    }

    fileprivate init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(number: try words.count(), schedule: try words.text())
    }
}

extension Evidence.Warning {
    fileprivate func write(to words: inout WordWriter) {
        words.add(kind.rawValue)
        words.add(count)
        words.add(first) { $1.write(to: &$0) }
    }

    fileprivate init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(
            try words.value(), count: try words.count(), first: try words.optional(Evidence.Execution.init))
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
