import Diagnosis
import Exploration
import LabExecution
import LabProgram
import LabSyntax
import Machine
import Testing
import Trace

@testable import Execution

/// Runs programs that tests hold as text.
struct LabRunner {
    let bytecode: Bytecode

    init(_ text: String, _ arguments: [Int]? = nil) throws {
        let reading = SourceText(name: "test.lab", text).read()
        let program = try #require(reading.program, "\(reading.diagnostics.map(\.message))")
        self.init(try program.compiled(with: arguments))
    }

    init(_ bytecode: Bytecode) { self.bytecode = bytecode }

    struct Run {
        var verdict: Verdict
        var schedule: Schedule
        var document: TraceDocument
        var outcome: Outcome { OutcomeJudge.outcome(of: document) }
        var texts: [String] { document.texts }
    }

    func controlled(seed: UInt64, rules: Rules = rules) -> Run { controlled(RandomWalk(seed: seed), rules) }

    func controlled(_ chooser: any Chooser, _ rules: Rules = rules) -> Run {
        Self.controlled(chooser, rules) { try InterpretedProgram(bytecode).run() }
    }

    /// The step limit: a program that takes more does not end.
    static let rules = Rules(maximumSteps: 10_000)

    static func controlled(
        _ chooser: any Chooser, _ rules: Rules = rules, _ body: @escaping @Sendable () throws -> Void
    ) -> Run {
        let sink = DocumentSink(header: TraceHeader(scenario: "test", runtime: .controlled))
        let runtime = ControlledRuntime(chooser: chooser, rules: rules, journal: Journal(into: sink))
        let verdict = runtime.run(body)
        return Run(verdict: verdict, schedule: runtime.schedule, document: sink.document)
    }

    /// The outcomes of this number of seeds.
    func outcomes(seeds: Int = 300) -> Set<OutcomeKind> {
        Set((0..<seeds).map { controlled(seed: UInt64($0)).outcome.kind })
    }

    /// Whether a run on real threads ended without an error, as far as the runtime itself can tell.
    func completesNatively() throws -> Bool {
        let runtime = NativeRuntime(recorder: Recorder(memory: try RecordingMemory()))
        runtime.run { try InterpretedProgram(bytecode).run() }
        return !runtime.ending.hasFailed.load(ordering: .acquiring)
    }
}
