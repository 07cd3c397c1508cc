import Diagnosis
import Trace

// How evidence is encoded: the process of a trial sends it to its parent, and a cache of proofs keeps it in files.

extension Evidence: Message {
    package func write(to words: inout WordWriter) {
        words.add(runtime.rawValue)
        words.add(runs)
        words.add(extent)
        words.add(ended)
        words.add(cut)
        words.add(sightings)
        words.add(seenStates.sorted()) { $0.add($1) }
        words.add(examined)
        words.add(warnings)
        words.add(discrepancy) { $0.add($1) }
        words.add(busyWaiting)
        words.add(escape) { $0.add($1) }
        words.add(visited)
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(
            try words.value(), runs: try words.count(), try words.message(), ended: try words.count(),
            cut: try words.optional(), sightings: try words.list(),
            seenStates: Set(try words.list { words throws(DamagedMessage) in try words.count() }),
            examined: try words.count(), warnings: try words.list(),
            discrepancy: try words.optional { words throws(DamagedMessage) in try words.text() },
            busyWaiting: try words.optional())
        escape = try words.optional { words throws(DamagedMessage) in try words.text() }
        visited = try words.count()
    }
}

extension Evidence.BusyWaiting: Message {
    private enum Kind: Int {
        case none, unknown, found
    }

    package func write(to words: inout WordWriter) {
        switch self {
        case .none: words.add(Kind.none.rawValue)
        case .unknown: words.add(Kind.unknown.rawValue)
        case .found(let step, let execution, let place):
            words.add(Kind.found.rawValue)
            words.add(step)
            words.add(execution)
            words.add(place)
        }
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        switch try words.value(Kind.self) {
        case .none: self = .none
        case .unknown: self = .unknown
        case .found: self = .found(try words.text(), try words.message(), try words.optional())
        }
    }
}

extension Evidence {
    /// The evidence as the content of a file, which `init(bytes:)` reads.
    package var bytes: [UInt8] {
        var words = WordWriter()
        write(to: &words)
        return words.bytes
    }

    /// Nil if the bytes are not those of evidence. They may be any bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard var reader = WordReader(bytes: bytes) else { return nil }
        guard let evidence = try? Evidence(from: &reader), reader.isEmpty else { return nil }
        self = evidence
    }
}

extension Extent: Message {
    package func write(to words: inout WordWriter) {
        switch self {
        case .all(let explored, let premises):
            words.add(explored)
            words.add(premises)
        case .part(let limit): words.add(limit.rawValue)
        }
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        let text = try words.text()
        if let kind = Explored.Kind(rawValue: text) {
            self = .all(Explored(kind, try words.count()), try words.message())
        } else if let limit = Limit(rawValue: text) {
            self = .part(limit)
        } else {
            throw DamagedMessage()
        }
    }
}

extension Explored: Message {
    package func write(to words: inout WordWriter) {
        words.add(kind.rawValue)
        words.add(count)
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(try words.value(), try words.count())
    }
}

extension Premises: Message {
    package func write(to words: inout WordWriter) {
        words.add(model) { $0.add($1) }
        words.add(passesTime ? 1 : 0)
        words.add(spurious)
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(
            model: try words.optional { words throws(DamagedMessage) in try words.text() },
            passesTime: try words.word() != 0, spurious: try words.optional())
    }
}

extension Premises.Spurious: Message {
    package func write(to words: inout WordWriter) {
        words.add(limit)
        words.add(apart)
        words.add(isOfUpdates ? 1 : 0)
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(
            limit: try words.count(), apart: try words.optional(), isOfUpdates: try words.word() != 0)
    }
}

extension Evidence.Cut: Message {
    package func write(to words: inout WordWriter) {
        words.add(executions)
        words.add(steps)
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(executions: try words.count(), steps: try words.count())
    }
}

extension Evidence.Sighting: Message {
    package func write(to words: inout WordWriter) {
        words.add(count)
        words.add(outcome)
        words.add(first)
        words.add(place)
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(
            count: try words.count(), outcome: try words.message(), first: try words.optional(),
            place: try words.optional())
    }
}

extension Evidence.Place: Message {
    package func write(to words: inout WordWriter) {
        words.add(file)
        words.add(line)
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(file: try words.text(), line: try words.line())
    }
}

extension Evidence.Execution: Message {
    package func write(to words: inout WordWriter) {
        words.add(number)
        words.add(schedule)
        words.add(options)
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(number: try words.count(), schedule: try words.text(), options: try words.text())
    }
}

extension Evidence.Warning: Message {
    package func write(to words: inout WordWriter) {
        words.add(kind.rawValue)
        words.add(count)
        words.add(first)
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(try words.value(), count: try words.count(), first: try words.optional())
    }
}

extension Outcome: Message {
    package func write(to words: inout WordWriter) {
        words.add(kind.rawValue)
        words.add(summary)
        words.add(details) { $0.add($1) }
        words.add(guide) { $0.add($1) }
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(
            try words.value(), summary: try words.text(),
            details: try words.list { words throws(DamagedMessage) in try words.text() },
            guide: try words.optional { words throws(DamagedMessage) in try words.text() })
    }
}
