import LabProgram
import LabSyntax
import Testing

@testable import Litmus

/// A program in a few lines, as a litmus test.
func litmus(_ text: String) throws -> LitmusProgram {
    let source = SourceText(name: "test.lab", "scenario \"test\"\n" + text)
    let program = try #require(source.read(builtIns: [], options: []).program)
    return try LitmusProgram(program, try program.configured())
}

/// Its outcomes.
func outcomes(_ text: String, rounds: Int, loopTime: UInt64 = 3_600_000_000_000) throws -> Histogram {
    var plan = LitmusRun.Plan()
    plan.rounds = rounds
    plan.loopTime = loopTime
    return try LitmusRun.run(try litmus(text), plan) { _ in false }.histogram
}

/// The only outcome of a program.
func outcome(_ text: String, loopTime: UInt64 = 3_600_000_000_000) throws -> LitmusOutcome {
    let histogram = try outcomes(text, rounds: 20, loopTime: loopTime)
    #expect(histogram.rows.count == 1 && histogram.rounds == 20)
    return try #require(histogram.rows.first).outcome
}
