import Authoring
import Diagnosis
import Execution
import Exploration
import Support
import Testing
import Trace

/// What the detectors find in the traces, in the same words as the expectations.
@Suite struct JudgementTests {
    @Test(arguments: ExpectationTests.everyVariant)
    func `the detectors judge every variant's runs as it expects`(setting: Setting) throws {
        let expectation = try setting.make().expectation
        for seed in Extent.part(of: UInt64(1)...150, every: 5) {
            let outcome = try outcome(of: setting, seed: seed)
            #expect(expectation.allowed.contains(outcome.kind), "seed \(seed): \(outcome.summary)")
        }
    }

    @Test func `without a lock, the ring of one producer and one consumer is a race even when all goes well`() throws {
        let setting = Setting("producer-consumer --variant no-lock --producers 1 --consumers 1")
        for seed: UInt64 in 1...150 {
            #expect(try outcome(of: setting, seed: seed).kind == .race, "seed \(seed)")
        }
    }

    private func outcome(of setting: Setting, seed: UInt64) throws -> Outcome {
        let scenario = try setting.make()
        let sink = DocumentSink(header: TraceHeader(scenario: setting.scenario, runtime: .controlled, seed: seed))
        let runtime = ControlledRuntime(chooser: RandomWalk(seed: seed), journal: Journal(into: sink))
        let verdict = runtime.run { try scenario.run() }
        let outcome = OutcomeJudge.outcome(of: sink.document)
        guard verdict == .completed, (try? scenario.review(Remains(runtime.records))) == nil else { return outcome }
        return Outcome(.assertion, summary: "the review failed")
    }
}
