import Support
import Trace

extension TraceDocument {
    /// A document with anything that events can be: hostile names, equal entries, entries without references, references
    /// without entries.
    static func random(seed: UInt64) -> TraceDocument {
        var random = SplitMix64(seed: seed)
        var header = TraceHeader(
            scenario: .hostile(&random), runtime: Bool.random(using: &random) ? .native : .controlled,
            seed: Bool.random(using: &random) ? random.next() : nil,
            schedule: Bool.random(using: &random) ? .hostile(&random) : nil)
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            header.parameters.append(.init(name: .hostile(&random), value: .hostile(&random)))
        }
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            header.rules.append(.init(name: .hostile(&random), value: .hostile(&random)))
        }
        header.program =
            switch Int.random(in: 0...3, using: &random) {
            case 0: .text(.hostile(&random))
            case 1: .compiled(.init(package: .hostile(&random), version: .hostile(&random), digest: nil))
            case 2: .compiled(.init(package: .hostile(&random), version: "1", digest: .hostile(&random)))
            default: nil
            }
        var document = TraceDocument(header: header)
        document.addTables(&random)
        document.addRemarks(&random)
        for _ in 0..<Int.random(in: 0...30, using: &random) { document.events.append(document.randomEvent(&random)) }
        document.dropped = Int.random(in: 0...2, using: &random) * 1_000_003
        document.omitted = max(0, Int.random(in: -4...2, using: &random)) * 1_000_003
        if document.omitted == 0, Bool.random(using: &random),
            let kind = OutcomeKind.allCases.randomElement(using: &random)
        {
            let details = (0..<Int.random(in: 0...3, using: &random)).map { _ in String.hostile(&random) }
            document.outcome = Outcome(
                kind, summary: .hostile(&random), details: details,
                guide: Bool.random(using: &random) ? .hostile(&random) : nil)
        }
        return document
    }

    private mutating func addTables(_ random: inout SplitMix64) {
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            threads.append(.init(name: .hostile(&random)))
            texts.append(.hostile(&random))
            targets[[-1, 0, 1, .min, .max].randomElement(using: &random) ?? 0] = .hostile(&random)
            let isNil = Int.random(in: 0...5, using: &random) == 0
            let line = Int.random(in: 0...99, using: &random)
            var site = isNil ? nil : Site(file: .hostile(&random), line: line)
            while site != nil, Int.random(in: 0..<3, using: &random) == 0 { site?.calls.append(.hostile(&random)) }
            sites.append(site)
            let kind = ObjectKind.allCases.randomElement(using: &random) ?? .mutex
            let owner = ObjectID(Int.random(in: 0...3, using: &random))
            var object = isNil ? nil : Object(kind: kind, name: .hostile(&random), owner: owner)
            if Bool.random(using: &random) { object?.origin = .hostile(&random) }
            if Bool.random(using: &random) { object?.permits = Int.random(in: 0...9, using: &random) }
            objects.append(object)
        }
    }

    private mutating func addRemarks(_ random: inout SplitMix64) {
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let remark = Remark(
                ["a", "a.b", "7-", "remark."].randomElement(using: &random) ?? "a", .hostile(&random),
                value: Remark.Value.allCases.randomElement(using: &random) ?? .none,
                counts: Remark.Count.allCases.randomElement(using: &random), says: .hostile(&random))
            _ = number(of: remark)
        }
    }

    private func randomEvent(_ random: inout SplitMix64) -> Event {
        let kind = EventKind.allCases.randomElement(using: &random) ?? .note
        var event = Event(
            time: [0, 1, 10_431, Event.latestTime].randomElement(using: &random) ?? 0,
            thread: ThreadID(Int.random(in: 0...threads.count, using: &random)), kind: kind,
            object: ObjectID(Int.random(in: 0...objects.count, using: &random)),
            site: SiteID(Int.random(in: 0...sites.count, using: &random)),
            remark: kind == .remark ? RemarkID(Int.random(in: 0...remarks.count + 1, using: &random)) : .none,
            order: MemoryOrder.allCases.randomElement(using: &random) ?? .seqcst)
        let range = kind.values(meaning(of: event))
        let values: [Int64] = [0, 1, 2, 3, 4, 5, -1, 99, .min, .max, range.lowerBound, range.upperBound]
        event.value = values.filter(range.contains).randomElement(using: &random) ?? 0
        return event
    }
}

extension String {
    /// Short, so that two are often equal, and made of characters that break formats.
    static func hostile(_ random: inout SplitMix64) -> String {
        let pieces = [
            "", "a", "a:1", "\"", "\\", "\n", "\r\n", "\t", "\0", "\u{1B}[31m", "\u{7F}", "\u{9B}", "é", "e\u{301}",
            "線",
            "😀", "\u{10FFFF}", "\u{2028}", "\u{202E}", "\u{FEFF}", "}", "{\"n\":1}", "\\u0041", "7",
        ]
        return (0..<Int.random(in: 0...3, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
            .joined()
    }
}

extension TraceDocument.Site.Call {
    fileprivate static func hostile(_ random: inout SplitMix64) -> Self {
        .init(function: .hostile(&random), file: .hostile(&random), line: Int.random(in: 0...9, using: &random))
    }
}
