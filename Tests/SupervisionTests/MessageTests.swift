import Diagnosis
import Exploration
import Machine
import Support
import Testing
import Trace

@testable import Supervision

/// Messages between processes, also overwritten by a scenario.
@Suite struct MessageTests {
    /// A message of each kind, and its reader.
    struct Sample: CustomTestStringConvertible {
        let testDescription: String
        let words: [Int]
        /// Reads it, and encodes it again.
        let read: @Sendable (inout WordReader) throws(DamagedMessage) -> [Int]

        init<Message>(
            _ name: String, _ message: Message, _ write: @escaping @Sendable (Message, inout WordWriter) -> Void,
            _ read: @escaping @Sendable (inout WordReader) throws(DamagedMessage) -> Message
        ) {
            testDescription = name
            let words: @Sendable (Message) -> [Int] = {
                var writer = WordWriter()
                write($0, &writer)
                return writer.words
            }
            self.words = words(message)
            self.read = { reader throws(DamagedMessage) in words(try read(&reader)) }
        }
    }

    static let samples = [
        Sample(
            "packed bytes", Array(0...255) as [UInt8] + [7, 8, 9], { $1.add(packed: $0) },
            { words throws(DamagedMessage) in try words.packedBytes() }),
        Sample("a report", SearchWorker.News.report(unit: 3, report), { $0.write(to: &$1) }, SearchWorker.News.init),
        Sample(
            "a discrepancy",
            SearchWorker.News.discrepancy(
                Discrepancy(
                    number: 7, first: .init(thread: 1, operation: Operation(.compareExchange, 5, -1, .max)),
                    second: nil)),
            { $0.write(to: &$1) }, SearchWorker.News.init),
        Sample(
            "a thread that is not under control", SearchWorker.News.discrepancy(.foreignThread("A thread at x:1")),
            { $0.write(to: &$1) }, SearchWorker.News.init),
        Sample("a rehearsal", rehearsal, { $0.write(to: &$1) }, Rehearsal.init),
        Sample(
            "a shrunk schedule",
            Shrunk(rehearsal, original: ScheduleCost(preemptions: 9, steps: 100), .unknown, endedByTime: true),
            { $0.write(to: &$1) }, Shrunk.init),
        Sample("evidence", evidence, { $0.write(to: &$1) }, Evidence.init),
        Sample("evidence of all", EvidenceTests.samples[0], { $0.write(to: &$1) }, Evidence.init),
    ]

    private static let schedule = Schedule([.thread(0), .thread(2), .alternative(3), .thread(.max)])
    private static let rehearsal = Rehearsal(
        Counterexample.Identity(kind: .race, place: -12), schedule, ScheduleCost(preemptions: 2, steps: 3))

    private static let evidence = Evidence(
        .controlled, runs: 1 << 48, .part(.noNews),
        sightings: [
            Evidence.Sighting(
                count: 2, outcome: Outcome(.deadlock, summary: "\u{0}ünï", details: ["", "x"], guide: "G"),
                first: Evidence.Execution(number: 7, schedule: "0x2,1")),
            Evidence.Sighting(count: 1, outcome: Outcome(.crash, summary: "")),
        ], seenStates: [0, 5], discrepancy: "it ended differently")

    private static var report: UnitReport {
        var report = UnitReport()
        report.counts.add(.completed, length: 12)
        report.counts.timed = 1
        report.findings = [
            Counterexample(.deadlock, place: .min, schedule: schedule, steps: 3, number: 1, strategy: .dpor),
            Counterexample(.crash, place: .max, schedule: Schedule(), steps: 0, number: 12, strategy: .pos),
        ]
        let state = TerminalState(
            .completed,
            [
                MemoryWord(object: ObjectIdentity(word: 1), value: -1),
                MemoryWord(object: ObjectIdentity(word: 2), value: .max),
            ])
        report.terminals.add(state, count: 4) { schedule }
        report.terminals.addOthers(2)
        report.end = .exhausted
        report.distinct = 5
        report.seenStates = [0, 3]
        report.traces = [0, .max]
        report.obstacle = .diverged(choice: 7)
        return report
    }

    @Test(arguments: samples) func `arrives as it was sent`(sample: Sample) throws {
        var reader = WordReader(sample.words[...])
        #expect(try sample.read(&reader) == sample.words)
        #expect(reader.isEmpty)
    }

    @Test(arguments: samples) func `is damaged if it is cut short anywhere`(sample: Sample) {
        for length in sample.words.indices {
            var reader = WordReader(sample.words[..<length])
            #expect(throws: DamagedMessage.self) { _ = try sample.read(&reader) }
        }
    }

    /// Whatever the scenario writes there: it is a message or it is not, and reading it ends.
    @Test(arguments: samples) func `any content can be read or is damaged`(sample: Sample) {
        var damaged = 0
        for place in sample.words.indices {
            for value in [-1, .min, .max, 1 << 40, 256, 65, 0, 1] {
                var words = sample.words
                words[place] = value
                var reader = WordReader(words[...])
                if (try? sample.read(&reader)) == nil || !reader.isEmpty { damaged += 1 }
            }
        }
        #expect(damaged > 0)
    }

    @Test(arguments: samples) func `of random words hardly any are a message`(sample: Sample) {
        var generator = SplitMix64(seed: 1)
        for round in 0..<2000 {
            let bound = 1 << (round % 63)
            let words = (0..<64).map { _ in Int.random(in: -2...bound, using: &generator) }
            var reader = WordReader(words[...])
            if let again = try? sample.read(&reader) { #expect(words.starts(with: again.prefix(1))) }
        }
    }
}
