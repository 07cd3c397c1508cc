import Machine
import Testing

@testable import Litmus

@Suite struct `What models say about outcomes` {
    private let common = LitmusOutcome(.completed, [1, 1])
    private let buffered = LitmusOutcome(.completed, [0, 0])

    private func verdicts(_ outcome: LitmusOutcome, _ known: [MemoryModel: Set<LitmusOutcome>]) -> [String] {
        let table = ModelTable { model in known[model].map { .known($0) } ?? .unknown("no search") }
        return MemoryModel.allCases.map { table.verdict(outcome, $0).rawValue }
    }

    @Test func `A weaker model allows what a stricter one allows`() {
        #expect(verdicts(common, [.sc: [common]]) == ["yes", "yes", "yes"])
        #expect(verdicts(buffered, [.sc: [common]]) == ["no", "unknown", "unknown"])
        #expect(verdicts(buffered, [.tso: [common, buffered]]) == ["unknown", "yes", "yes"])
    }

    @Test func `A stricter model forbids what a weaker one forbids`() {
        #expect(verdicts(buffered, [.rc11: [common]]) == ["no", "no", "no"])
        #expect(verdicts(common, [.rc11: [common]]) == ["unknown", "unknown", "yes"])
    }

    @Test func `An outcome that the processor's model forbids is a contradiction, whatever else is known`() {
        let histogram = Histogram([
            .init(common, count: 9), .init(buffered, count: 1), .init(.init(.unfinished), count: 1),
        ])
        let contradiction = { (known: [MemoryModel: Set<LitmusOutcome>]) in
            ModelTable { model in known[model].map { .known($0) } ?? .unknown("no search") }
                .contradiction(in: histogram, of: .tso)
        }
        #expect(contradiction([.tso: [common]]) == buffered)
        #expect(contradiction([.rc11: [common]]) == buffered)
        #expect(contradiction([.sc: [common]]) == nil)
        #expect(contradiction([.sc: [common], .tso: [common, buffered]]) == nil)
    }

    @Test func `A round that was given up proves nothing`() {
        #expect(verdicts(LitmusOutcome(.unfinished), [.sc: [common]]) == ["unknown", "unknown", "unknown"])
    }

    @Test func `Frequent outcomes come first, and equal ones in the order of their values`() {
        let rows = [
            Histogram.Row(LitmusOutcome(.completed, [1]), count: 2), .init(LitmusOutcome(.completed, [0]), count: 2),
            .init(LitmusOutcome(.deadlock), count: 5), .init(LitmusOutcome(.assertion), count: 2),
        ]
        for order in [rows, rows.reversed()] {
            let histogram = Histogram(order, others: 1)
            #expect(histogram.rows.map(\.outcome.values).filter { !$0.isEmpty } == [[0], [1]])
            #expect(histogram.rows[0].outcome == LitmusOutcome(.deadlock) && histogram.rounds == 12)
            #expect(histogram.rows.map(\.outcome) == Histogram(rows, others: 1).rows.map(\.outcome))
        }
    }
}
