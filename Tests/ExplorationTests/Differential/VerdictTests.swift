import Diagnosis
import Execution
import Exploration
import LabExecution
import Machine
import Support
import Testing
import Trace

/// The machine's verdict on a run against the detectors' verdict from its events alone.
@Suite struct VerdictTests {
    private static let rules: [Rules] = {
        var late = Rules(maximumSteps: 300, spuriousWakeups: 1)
        late.timeouts = .any
        return [Rules(maximumSteps: 300), late]
    }()

    @Test(arguments: SelfConsistencyTests.seeds, rules)
    func `the events show how the run ended`(_ seeds: ClosedRange<UInt64>, _ rules: Rules) throws {
        for seed in seeds {
            for text in [FeatureProgram(seed: seed).text, RandomProgram(seed: seed).lab] {
                let bytecode = try TestProgram(text).bytecode
                for walk in 0..<(Extent.isWhole ? 20 : 8) {
                    let (verdict, judged, schedule) = try Self.run(bytecode, RandomWalk(seed: UInt64(walk)), rules)
                    #expect(
                        verdict.disagreement(with: judged) == nil,
                        "seed \(seed), --schedule \(schedule), \(rules)\n\(text)")
                }
            }
        }
    }

    private static func run(
        _ bytecode: Bytecode, _ chooser: any Chooser, _ rules: Rules
    ) throws -> (Verdict, OutcomeKind, Schedule) {
        let sink = DocumentSink(header: TraceHeader(scenario: "test", runtime: .controlled))
        let runtime = ControlledRuntime(chooser: chooser, rules: rules, journal: Journal(into: sink))
        let races = RaceWatch()
        runtime.driver.observers = [races]
        let verdict = runtime.run { try InterpretedProgram(bytecode).run() }
        let isRace = verdict == .completed && !races.races.isEmpty
        return (isRace ? .race : verdict, OutcomeJudge.outcome(of: sink.document).kind, runtime.schedule)
    }
}
