import Support
import Trace

/// A trace of random events whose numbers are at the ends of what an event can have.
enum ExtremeTrace {
    private static let eventCount = 60

    static func text(seed: UInt64) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        let isNative = Bool.random(using: &random)
        var header = TraceHeader(
            scenario: one(of: ["deadlock", "x.lab", "none"], &random), runtime: isNative ? .native : .controlled,
            seed: isNative ? nil : .max, schedule: isNative ? nil : "0x4,1,2x3")
        if !isNative && Bool.random(using: &random) {
            header.rules = [.init(name: "model", value: one(of: ["tso", "rc11"], &random))]
        }
        var trace = TraceDocument(header: header)
        trace.threads = ["main", "first", "second"].map { .init(name: $0) }
        addTables(to: &trace, &random)
        for number in 0..<eventCount { trace.events.append(event(number, in: trace, &random)) }
        if Bool.random(using: &random) {
            trace.outcome = Outcome(one(of: OutcomeKind.allCases, &random), summary: "s")
        }
        return Array(ByteSink.collect { TraceWriter.write(trace, to: &$0) }.utf8)
    }

    private static func one<Element>(of list: [Element], _ random: inout SplitMix64) -> Element {
        list[random.next(below: list.count)]
    }

    private static func addTables(to trace: inout TraceDocument, _ random: inout SplitMix64) {
        for (number, kind) in ObjectKind.allCases.enumerated() {
            let maker = one(of: [0, 1, Int(UInt16.max)], &random)
            let owner = one(of: [0, 0, 0, number, Int(UInt32.max)], &random)
            trace.objects.append(
                .init(kind: kind, name: "o\(number)", maker: ThreadID(maker), owner: ObjectID(owner)))
        }
        for value in Remark.Value.allCases {
            for counts in [nil, .up, .down, .level] as [Remark.Count?] {
                let name = "r.\(value.rawValue)-\(counts?.rawValue ?? "")"
                _ = trace.number(of: Remark(name, "do {object} {value}", value: value, counts: counts))
            }
        }
        trace.texts = ["t", "u"]
        let files = ["Scenarios/Deadlocks/Deadlock.swift", "x.lab"]
        for line in [0, 1, 20, TraceDocument.Site.lines.upperBound] {
            for file in files { trace.sites.append(.init(file: file, line: line)) }
        }
    }

    private static func event(
        _ number: Int, in trace: TraceDocument, _ random: inout SplitMix64
    ) -> Event {
        var kind = random.next(below: 5) == 0 ? EventKind.remark : one(of: EventKind.allCases, &random)
        // What comes after the end of a run is hardly looked at.
        if kind.endsRun && number < eventCount - 3 { kind = .note }
        let time = one(of: [UInt64(number) * 1000, UInt64(number) * 1000, 0, Event.latestTime], &random)
        let objects = Array(1..<trace.objects.count) + [0, Int(UInt32.max)]
        let sites = Array(0..<trace.sites.count) + [Int(UInt32.max)]
        var event = Event(
            time: time, thread: ThreadID(one(of: [0, 1, 2, 1, 2, Int(UInt16.max)], &random)), kind: kind,
            object: ObjectID(one(of: objects, &random)), site: SiteID(one(of: sites, &random)),
            remark: kind == .remark ? RemarkID(random.next(below: trace.remarks.count + 1)) : .none,
            order: one(of: MemoryOrder.allCases, &random))
        let range = kind.values(trace.meaning(of: event))
        event.value = one(of: ExtremeNumbers.words.map { Int64($0) }.filter(range.contains), &random)
        return event
    }
}
