import Exploration
import LabLanguage
import Machine
import Testing

@Suite struct RandomStrategyTests {
    private static let names = ["random", "pct", "pos", "urw"]

    private func strategy(_ name: String, seed: UInt64) -> any Strategy {
        switch name {
        case "pct": PCT(seed: seed, depth: 3)
        case "pos": POS(seed: seed)
        case "urw": URW(seed: seed)
        default: RandomWalk(seed: seed)
        }
    }

    private func schedules(_ strategy: any Strategy, _ engine: Engine, _ numbers: some Sequence<Int>) -> [String] {
        numbers.map { number in
            #expect(strategy.prepare(number))
            _ = strategy.execute(engine)
            return engine.schedule.description
        }
    }

    private static let program = """
        mutex m
        condition c with m
        shared x = 0
        thread parent { spawn child; lock m { x += 1; c.signal() }; join child }
        thread child { lock m { while x == 0 { c.wait() } } }
        thread t[2] { lock m { x += choose(3) }; yield }
        """

    @Test(arguments: names)
    func `the same seed gives the same executions, and another seed others`(_ name: String) throws {
        let engine = try TestProgram(Self.program).engine()
        let first = schedules(strategy(name, seed: 7), engine, 0..<50)
        #expect(first == schedules(strategy(name, seed: 7), engine, 0..<50))
        #expect(first != schedules(strategy(name, seed: 8), engine, 0..<50))
        #expect(Set(first).count > 25)
    }

    @Test(arguments: names)
    func `an execution does not depend on which were run before it`(_ name: String) throws {
        let engine = try TestProgram(Self.program).engine()
        let all = schedules(strategy(name, seed: 7), engine, 0..<50)
        let odd = schedules(strategy(name, seed: 7), engine, stride(from: 1, to: 50, by: 2))
        #expect(odd == stride(from: 1, to: 50, by: 2).map { all[$0] })
    }

    @Test func `the first execution of a random walk is that of its seed`() throws {
        let engine = try TestProgram(Self.program).engine()
        let first = schedules(RandomWalk(seed: 7), engine, 0..<1)
        _ = engine.run(RandomWalk(seed: 7))
        #expect(first == [engine.schedule.description])
    }

    @Test func `of two steps at a time a random walk takes either as often`() throws {
        let engine = try TestProgram("atomic x = 0\nthread t[2] { x.store(1) }").engine()
        let tally = Tally(RandomWalk(seed: 1), engine, executions: 4000) { _ in engine.schedule.choices[0].index }
        #expect(tally.unevenness(among: 2) < 8)
    }

    @Test func `partial order sampling does not care which thread is which`() throws {
        let bodies = ["x.store(1)", "x.store(2); y.store(2)", "y.store(3); x.store(3); y.load()"]
        var shares: [[Double]] = []
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0], [2, 1, 0]] {
            let threads = order.map { "thread t\($0) { \(bodies[$0]) }" }
            let text = (["atomic x = 0, y = 0"] + threads).joined(separator: "\n")
            let engine = try TestProgram(text).engine()
            let tally = Tally(POS(seed: 5), engine, executions: 6000) { _ in
                // Which thread, as the text calls it, took each step.
                engine.schedule.choices.map(\.index).filter { $0 != 0 }.map { order[$0 - 1] }
            }
            let likely = Self.interleavings(of: [2, 3, 4])
            shares.append(likely.map { tally.share($0) })
        }
        for other in shares.dropFirst() {
            for (one, two) in zip(shares[0], other) { #expect(abs(one - two) < 0.02) }
        }
    }

    /// All orders of so many steps of each thread.
    private static func interleavings(of steps: [Int]) -> [[Int]] {
        if steps.allSatisfy({ $0 == 0 }) { return [[]] }
        return steps.indices.filter { steps[$0] > 0 }.flatMap { thread in
            var rest = steps
            rest[thread] -= 1
            return interleavings(of: rest).map { [thread] + $0 }
        }
    }

    @Test func `partial order sampling draws both orders of two writes alike, whatever else is done`() throws {
        let engine = try TestProgram(
            "atomic x = 0, y = 0, z = 0\nthread t[2] { x.store(index) }\nthread u { y.store(1); z.store(1) }"
        )
        .engine()
        let tally = Tally(POS(seed: 2), engine, executions: 4000) { _ in
            engine.schedule.choices.map(\.index).last { $0 == 1 || $0 == 2 }
        }
        #expect(tally.unevenness(among: 2) < 8)
    }

    @Test func `in a uniform random walk each interleaving is as likely as any other`() throws {
        // Three steps, five and two, the start of each included: 10! / (3! 5! 2!) orders.
        let text =
            "atomic x = 0, y = 0, z = 0\nthread a { repeat 2 { x.add(1) } }\nthread b { repeat 4 { y.add(1) } }\nthread c { z.add(1) }"
        let engine = try TestProgram(text).engine()
        let weighted = Tally(URW(seed: 1), engine, executions: 50_000) { _ in
            engine.schedule.choices.map(\.index).filter { $0 != 0 }
        }
        let walk = Tally(RandomWalk(seed: 1), engine, executions: 50_000) { _ in
            engine.schedule.choices.map(\.index).filter { $0 != 0 }
        }
        #expect(weighted.counts.count == 2520)
        #expect(weighted.unevenness(among: 2520) < 2850)
        #expect(walk.unevenness(among: 2520) > 10_000)
    }

    @Test func `a uniform random walk counts the steps of a thread for the one that will start it`() throws {
        // Before `parent` has started its child, six steps depend on it and one on the other thread.
        let text =
            "atomic x = 0, y = 0\nthread parent { spawn child; detach child }\nthread child { repeat 3 { x.add(1) } }\nthread other { y.add(1) }"
        let engine = try TestProgram(text).engine()
        let tally = Tally(URW(seed: 1), engine, executions: 20_000) { _ in
            engine.schedule.choices.map(\.index).first { $0 != 0 }
        }
        // The start of `parent`, its spawn, its detach, and the child's four; against two.
        #expect(abs(tally.share(1) - 7.0 / 9) < 0.02)
    }

    @Test func `round-robin ends when no slice of time is too short`() throws {
        let engine = try TestProgram("atomic x = 0\nthread t[2] { repeat 3 { x.add(1) } }").engine()
        let robin = RoundRobin()
        var schedules: [String] = []
        while robin.prepare(schedules.count) {
            _ = robin.execute(engine)
            schedules.append(engine.schedule.description)
        }
        #expect(schedules == ["1,2,1,2,1,2,1,2,0x3", "1x2,2x2,1x2,2x2,0x3", "1x3,2x3,1,2,0x3", "1x4,2x4,0x3"])
    }
}
