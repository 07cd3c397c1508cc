import Exploration
import LabExecution
import Machine
import Testing

@Suite struct RandomStrategyTests {
    private static let names = ["random", "pct", "pos", "urw", "surw"]

    private func strategy(_ name: String, seed: UInt64) -> any Strategy {
        switch name {
        case "pct": PCT(seed: seed, depth: 3)
        case "pos": POS(seed: seed)
        case "urw": URW(seed: seed)
        case "surw": SURW(seed: seed)
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
        #expect(schedules(strategy(name, seed: 7), engine, (0..<50).reversed()) == all.reversed())
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
                // The thread, by its name in the text, that took each step.
                engine.schedule.choices.map(\.index).filter { $0 != 0 }.map { order[$0 - 1] }
            }
            let likely = Self.interleavings(of: [2, 3, 4])
            shares.append(likely.map { tally.share($0) })
        }
        for other in shares.dropFirst() {
            for (one, two) in zip(shares[0], other) { #expect(abs(one - two) < 0.02) }
        }
    }

    /// All orders of this number of steps of each thread.
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

    /// The number of steps of these programs' threads depends on which comes first: one walk shows little.
    @Test(arguments: [("CS.twostage", 0.01), ("CS.bluetooth_driver", 0.0008), ("CVE-2016-9806", 0.04)])
    func `a uniform random walk shows a bug about as often with one seed as with another`(
        _ program: String, _ least: Double
    ) throws {
        let engine = try PublishedBugTests.Bug(program: program, preemptions: 0, delays: 0).engine()
        let shares = (1...8).map { Tally(URW(seed: $0), engine, executions: 2500) { $0 == .assertion }.share(true) }
        #expect(shares.allSatisfy { $0 > least && $0 < 6 * least }, "\(shares)")
    }

    // MARK: - Selection

    @Test func `a selective walk makes each order of the steps on a shared object as likely as any other`() throws {
        // Two steps on x, four and one, among others that no two threads share: 7! / (2! 4! 1!) orders.
        let text = """
            atomic x = 0, own[3] = 0
            thread a { repeat 20 { own[0].add(1) }; repeat 2 { x.add(1) } }
            thread b { repeat 4 { x.add(1); own[1].add(1) } }
            thread c { own[2].add(1); x.add(1); repeat 9 { own[2].add(1) } }
            """
        let engine = try TestProgram(text).engine()
        // By thread: which of its steps are on x, its start being step 0.
        let selected: [Set] = [[], [21, 22], [1, 3, 5, 7], [2]]
        func orders(_ strategy: any Strategy) -> Tally<[Int]> {
            Tally(strategy, engine, executions: 6000) { _ in
                var counts = [0, 0, 0, 0]
                return engine.schedule.choices.map(\.index).filter { thread in
                    defer { counts[thread] += 1 }
                    return selected[thread].contains(counts[thread])
                }
            }
        }
        let selective = orders(SURW(seed: 3))
        #expect(selective.counts.count == 105)
        // The mean is 104, with a deviation of 14.
        #expect(selective.unevenness(among: 105) < 175)
        #expect(orders(RandomWalk(seed: 3)).unevenness(among: 105) > 1000)
        #expect(orders(URW(seed: 3)).unevenness(among: 105) > 1000)
    }

    @Test func `in a selective walk every interleaving can occur`() throws {
        // Four steps each, the start included: 8! / (4! 4!) orders.
        let engine = try TestProgram("atomic x = 0, y = 0\nthread t[2] { x.add(1); x.add(1); y.add(1) }").engine()
        let tally = Tally(SURW(seed: 1), engine, executions: 3000) { _ in
            engine.schedule.choices.map(\.index).filter { $0 != 0 }
        }
        #expect(tally.counts.count == 70)
    }

    @Test(arguments: ["", "yield"])
    func `a selective walk ends although the intended thread waits in a loop for one that is held`(
        _ pause: String
    ) throws {
        let text = """
            atomic isSet = false, x = 0
            thread a { while !isSet.load() { \(pause) }; x.store(1) }
            thread b { x.store(2); isSet.store(true) }
            """
        let engine = try TestProgram(text).engine()
        let strategy = SURW(seed: 1)
        for number in 0..<300 {
            #expect(strategy.prepare(number))
            #expect(strategy.execute(engine) == .completed)
            #expect(engine.stepCount < 20_000)
        }
    }

    @Test(arguments: PublishedBugTests.bugs)
    func `a selective walk shows each published bug in three of a hundred executions, with any seed`(
        _ bug: PublishedBugTests.Bug
    ) throws {
        let engine = try bug.engine()
        for seed: UInt64 in 1...4 {
            let tally = Tally(SURW(seed: seed), engine, executions: 700) { $0 == .assertion || $0 == .deadlock }
            #expect(tally.share(true) > 0.03, "seed \(seed)")
        }
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
