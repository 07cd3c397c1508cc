import Diagnosis
import Execution
import Exploration
import LabExecution
import Machine
import Primitives
import Testing
import Trace

/// Objects that recipes describe: they keep their promises in every schedule, and are the same in Swift and in `.lab`
/// files.
@Suite struct BuiltObjectTests {
    private struct Result: Equatable {
        var traces: Int
        var verdicts: Set<Verdict>
    }

    private func exhaust(_ subject: any Subject) -> Result {
        let search = PartialOrderSearch(rules: Rules())
        var verdicts: Set<Verdict> = []
        var number = 0
        while search.prepare(number) {
            verdicts.insert(search.execute(subject))
            number += 1
        }
        #expect(search.obstacle == nil && !search.isBounded)
        return Result(traces: search.completeCount, verdicts: verdicts)
    }

    @Test(arguments: [
        ("two threads, two rounds", "barrier b(2)\nthread t[2] { repeat 2 { if b.wait() { n.add(1) } } }", 2),
        ("three threads, two rounds", "barrier b(3)\nthread t[3] { repeat 2 { if b.wait() { n.add(1) } } }", 2),
        ("four threads, two at a time", "barrier b(2)\nthread t[4] { if b.wait() { n.add(1) } }", 2),
        ("a latch", "latch l(2)\nthread c[2] { l.countDown() }\nthread w[2] { l.wait(); n.add(1) }", 2),
        ("a once", "once o\nthread t[4] { once o { n.add(1) }; assert n.load() == 1 }", 1),
        (
            "arrays",
            "once o[2]\nlatch l[2](1)\n"
                + "thread t[2] { once o[index] { n.add(1) }; l[index].countDown(); l[1 - index].wait() }", 2
        ),
    ])
    func `in every schedule they end as they should`(_ name: String, _ text: String, _ expected: Int) throws {
        let program = try TestProgram("atomic n = 0\n\(text)\nfinally { assert n.load() == \(expected) }")
        #expect(exhaust(program.engine()).verdicts == [.completed])
    }

    @Test(arguments: [
        ("a barrier for more than come", "barrier b(3)\nthread t[2] { b.wait(); n.add(1) }"),
        ("a barrier for fewer than come", "barrier b(2)\nthread t[3] { b.wait() }"),
        (
            "a latch that is counted too seldom",
            "latch l(2)\nthread c { l.countDown() }\nthread w { l.wait(); n.add(1) }"
        ),
        ("a once inside itself", "once o\nthread t { once o { once o { n.add(1) } } }"),
        (
            "a once that waits for a thread that needs it",
            "once o\nthread t { once o { spawn h; join h; n.add(1) } }\nthread h { once o { } }"
        ),
    ])
    func `in every schedule they wait forever where they should`(_ name: String, _ text: String) throws {
        let program = try TestProgram("atomic n = 0\n\(text)\nfinally { assert n.load() == 0 }")
        #expect(exhaust(program.engine()).verdicts == [.deadlock])
    }

    // MARK: - Two languages, one meaning

    /// The same program as text and as Swift.
    private struct Pair: Sendable, CustomTestStringConvertible {
        let text: String
        let body: @Sendable () throws -> Void
        var testDescription: String { text }

        static let all = [
            Pair(text: "barrier b(2)\nthread t[2] { b.wait(); b.wait() }") {
                let barrier = try Barrier(parties: 2)
                try Pair.threads(2) { _ in
                    try barrier.wait()
                    try barrier.wait()
                }
            },
            Pair(text: "barrier b(2)\nthread t[3] { b.wait() }") {
                let barrier = try Barrier(parties: 2)
                try Pair.threads(3) { _ in try barrier.wait() }
            },
            Pair(text: "latch l(2)\nthread t[3] { if index == 0 { l.wait() } else { l.countDown() } }") {
                let latch = try Latch(count: 2)
                try Pair.threads(3) { if $0 == 0 { try latch.wait() } else { try latch.countDown() } }
            },
            Pair(text: "once o\natomic n = 0\nthread t[3] { once o { n.add(1) }; n.load() }") {
                let once = Once()
                let count = Atomic(nil, 0)
                try Pair.threads(3) { _ in
                    try once.run { try count.add(1) }
                    _ = try count.load()
                }
            },
        ]

        private static func threads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
            let threads = try (0..<count).map { number in try Thread { try body(number) } }
            for thread in threads { try thread.join() }
        }
    }

    @Test(arguments: Pair.all)
    private func `a Swift program has as many traces as the same in a lab file, and ends alike`(_ pair: Pair) throws {
        let program = try TestProgram(pair.text)
        let flat = exhaust(program.engine())
        #expect(flat == exhaust(ControlledSubject(Rules()) { try InterpretedProgram(program.bytecode).run() }))
        #expect(flat == exhaust(ControlledSubject(Rules()) { try pair.body() }))
    }

    // MARK: - Reports

    private func outcome(_ body: @escaping @Sendable () throws -> Void) -> Outcome {
        let sink = DocumentSink(header: TraceHeader(scenario: "test", runtime: .controlled))
        let runtime = ControlledRuntime(chooser: Replay(Schedule()), rules: Rules(), journal: Journal(into: sink))
        _ = runtime.run(body)
        return OutcomeJudge.outcome(of: sink.document)
    }

    private func outcome(_ text: String) throws -> Outcome {
        let program = try TestProgram(text)
        return outcome { try InterpretedProgram(program.bytecode).run() }
    }

    @Test func `a deadlock names the barrier or the latch on which threads wait, and their lines`() throws {
        let few = try outcome("barrier gate(3)\nthread t[2] { gate.wait() }")
        #expect(few.kind == .deadlock)
        #expect(few.summary == "t[0] and t[1] wait for gate, and no thread is left to wake them.")
        #expect(few.details.contains("t[1] waits for gate at test.lab:3."))
        let seldom = try outcome("latch ready(2)\nthread t { ready.countDown(); ready.wait() }")
        #expect(seldom.summary == "t waits for ready, and no thread is left to wake it.")
        #expect(seldom.details.contains("t waits for ready at test.lab:3."))
    }

    @Test func `a deadlock names the once that is held, and the lines`() throws {
        let recursion = try outcome("once setup\nthread t {\nonce setup {\nonce setup { }\n} }")
        #expect(recursion.kind == .deadlock)
        #expect(
            recursion.details.first
                == "t holds setup (taken at test.lab:4) and waits for setup at test.lab:5, which it holds itself.")
    }

    @Test func `in Swift the lines are those of the program`() throws {
        let line = #line + 3
        let few = outcome {
            let gate = try Barrier("gate", parties: 2)
            try gate.wait()
        }
        #expect(few.summary == "main waits for gate, and no thread is left to wake it.")
        #expect(few.details.contains("main waits for gate at BuiltObjectTests.swift:\(line)."))
    }
}
