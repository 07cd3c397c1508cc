import Diagnosis
import Execution
import Exploration
import LabLanguage
import Machine
import Testing
import Trace

/// Runs programs that tests hold as text.
struct LabRunner {
    let bytecode: Bytecode

    init(_ text: String, _ arguments: [Int]? = nil) throws {
        let reading = SourceText(name: "test.lab", text).read()
        let program = try #require(reading.program, "\(reading.diagnostics.map(\.message))")
        bytecode = try program.compiled(with: arguments)
    }

    struct Run {
        var verdict: Verdict
        var schedule: Schedule
        var document: TraceDocument
        var outcome: Outcome { OutcomeJudge.outcome(of: document) }
        var texts: [String] { document.texts }
    }

    func controlled(seed: UInt64, maximumSteps: Int = 10_000) -> Run {
        controlled(RandomWalk(seed: seed), maximumSteps: maximumSteps)
    }

    func controlled(_ chooser: any Chooser, maximumSteps: Int = 10_000) -> Run {
        let sink = DocumentSink(header: TraceHeader(scenario: "test", runtime: .controlled))
        let runtime = ControlledRuntime(
            chooser: chooser, rules: .init(maximumSteps: maximumSteps), journal: Journal(into: sink))
        let verdict = runtime.run { try LabProgram(bytecode).run() }
        return Run(verdict: verdict, schedule: runtime.schedule, document: sink.document)
    }

    /// The outcomes of so many seeds.
    func outcomes(seeds: Int = 300) -> Set<OutcomeKind> {
        Set((0..<seeds).map { controlled(seed: UInt64($0)).outcome.kind })
    }

    /// The outcome of a run on real threads, as far as the runtime itself sees it.
    func native() -> NativeResult {
        NativeRuntime(recorder: nil).run { try LabProgram(bytecode).run() }
    }
}
