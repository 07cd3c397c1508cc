import LabExecution
import LabProgram
import LabSyntax
import Machine
import Support
import Testing
import Trace

@testable import Diagnosis

/// Runs under weaker memory models, judged by their events alone, against what the machine did.
@Suite struct WeakEventTests {
    private static let programs =
        Repository.paths(in: "Tests/Oracle/weak", ending: ".lab").sorted()
        + Repository.paths(in: "scenarios/weak-memory", ending: ".lab").sorted()

    /// Its runs with some seeds under each model. Empty: it has no meaning there.
    private func runs(_ path: String) throws -> [TraceDocument] {
        let program = try #require(SourceText(name: path, Repository.text(of: path) ?? "").read().program)
        return try [MemoryModel.tso, .rc11].flatMap { model in
            let runner = LabRunner(try program.under(model, alone: false).compiled())
            guard runner.bytecode.obstacle(under: model) == nil else { return [TraceDocument]() }
            var rules = Rules(maximumSteps: 500)
            rules.model = model
            return (0..<12).map { runner.controlled(seed: $0, rules: rules).document }
        }
    }

    @Test func `a read has the value of the write that its events say it reads`() throws {
        var older = 0
        for path in Self.programs {
            for trace in try runs(path) {
                var steps = WeakSteps()
                var initial: [ObjectID: Int64] = [:]
                for event in trace.events {
                    steps.consume(event)
                    guard let step = steps.step, event.kind == .atomicLoad || event.kind == .atomicMismatch else {
                        continue
                    }
                    if step.isOutOfOrder { older += 1 }
                    let expected = step.source.map { trace.events[$0].value } ?? initial[event.object] ?? event.value
                    if step.source == nil { initial[event.object] = expected }
                    #expect(event.value == expected, "\(path): \(trace.events[0...].prefix { $0 != event }.count)")
                }
            }
        }
        #expect(older > 100, "runs read older values: \(older)")
    }

    @Test func `what is newer than a step is not ordered before it, by the events' own clocks`() throws {
        var judged = 0
        for path in Self.programs {
            for trace in try runs(path) {
                let reasons = WeakReasons(trace)
                for number in reasons.numbers {
                    let step = try #require(reasons.step(number))
                    let newer = try #require(step.weak).newer.compactMap(reasons.step)
                    #expect(newer.allSatisfy { !reasons.has(step, seen: $0) }, "\(path): event \(number + 1)")
                    judged += newer.count
                    #expect(reasons.paragraph(number, in: Names(trace)) != nil)
                }
            }
        }
        #expect(judged > 100, "steps are judged: \(judged)")
    }
}
