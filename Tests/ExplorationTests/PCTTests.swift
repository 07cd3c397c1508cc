import Exploration
import Machine
import Support
import Testing

@Suite struct PCTTests {
    private static let executions = 4000

    private func share(of verdict: Verdict, _ text: String, depth: Int) throws -> (share: Double, bound: Double) {
        let engine = try TestProgram(text).engine()
        _ = engine.run(Replay(Schedule()))
        let steps = engine.stepCount
        let threads = Double(Set(engine.schedule.choices.map(\.index)).count)
        let tally = Tally(PCT(seed: 1, depth: depth, steps: steps), engine, executions: Self.executions) { $0 }
        var bound = 1 / threads
        for _ in 1..<depth { bound /= Double(steps) }
        return (tally.share(verdict), bound)
    }

    @Test(arguments: [
        // One order: the reader after both writers.
        (1, "atomic x = 0\nthread a { x.add(1) }\nthread b { x.add(1) }\nthread c { assert x.load() != 2 }"),
        // Two orders: each has its first lock before the other takes its second.
        (
            2,
            "mutex a, b\nthread p { lock a { lock b { assert true } } }\nthread q { lock b { a.lock(); assert false } }"
        ),
        // Two: a check and an act, and another thread in between.
        (2, "atomic x = 0\nthread a { if x.load() == 0 { assert x.load() == 0 } }\nthread b { x.store(1) }"),
        // Three: and the one in between is interrupted too.
        (
            3,
            """
            atomic x = 0
            thread a { if x.load() == 0 { assert x.load() != 1 } }
            thread b { x.store(1); x.store(2) }
            """
        ),
    ])
    func `a bug of its depth is found as often as is promised`(_ depth: Int, _ text: String) throws {
        let (share, bound) = try share(of: .assertion, text, depth: depth)
        #expect(share >= bound)
    }

    @Test func `without a change point a thread only stops where it must`() throws {
        let text = "atomic x = 0\nthread a { if x.load() == 0 { assert x.load() == 0 } }\nthread b { x.store(1) }"
        #expect(try share(of: .assertion, text, depth: 1).share == 0)
    }

    @Test func `without a change point each order of threads is as likely as any other`() throws {
        let engine = try TestProgram("atomic x = 0\nthread t[3] { x.store(index) }").engine()
        let tally = Tally(PCT(seed: 3, depth: 1, steps: 20), engine, executions: 6000) { _ in
            engine.schedule.choices.map(\.index).filter { $0 != 0 }
        }
        #expect(tally.counts.count == 6)
        #expect(tally.unevenness(among: 6) < 20)
    }

    @Test func `a thread that waits by yielding does not keep the others out`() throws {
        let text = "atomic x = 0\nthread a { while x.load() == 0 { yield } }\nthread b { x.store(1) }"
        let engine = try TestProgram(text).engine(Rules(maximumSteps: 1000))
        let tally = Tally(PCT(seed: 1, depth: 3), engine, executions: 500) { $0 }
        #expect(tally.share(.completed) == 1)
    }
}
