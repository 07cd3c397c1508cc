import Testing

@testable import Litmus

/// What holds for every run on every machine; how often an outcome occurs is not tested.
@Suite struct `A run of a litmus test` {
    private static let storeBuffering = """
        atomic x = 0, y = 0
        shared r0 = 0, r1 = 0
        thread left { x.store(1); r0 = y.load() }
        thread right { y.store(1); r1 = x.load() }
        expect sometimes r0 == 0 && r1 == 0
        """

    private func values(_ text: String, rounds: Int = 20_000) throws -> Set<[Int]> {
        let histogram = try outcomes(text, rounds: rounds)
        #expect(histogram.rounds == rounds && histogram.others == 0)
        #expect(histogram.rows.allSatisfy { $0.outcome.ending == .completed && $0.count > 0 })
        return Set(histogram.rows.map(\.outcome.values))
    }

    @Test func `With sequentially consistent atomics, one of two threads sees the other's store`() throws {
        #expect(try values(Self.storeBuffering).isSubset(of: [[0, 1], [1, 0], [1, 1]]))
    }

    @Test func `A message is there when its flag is seen`() throws {
        let text = """
            shared data = 0, seen = 0, got = 0
            atomic flag = false
            thread writer { data = 1; flag.store(true) }
            thread reader { if flag.load() { seen = 1 }; got = data }
            expect never seen == 1 && got == 0
            """
        #expect(try values(text).isSubset(of: [[0, 0], [0, 1], [1, 1]]))
    }

    @Test func `Full fences forbid what store buffers allow`() throws {
        let text = Self.storeBuffering.replacing("x.store(1)", with: "x.store(1, relaxed); fence(seqcst)")
            .replacing("y.store(1)", with: "y.store(1, relaxed); fence(seqcst)").replacing(
                "load()", with: "load(relaxed)")
        #expect(try values(text).isSubset(of: [[0, 1], [1, 0], [1, 1]]))
    }

    @Test func `The values of one cell are seen in one order`() throws {
        let text = """
            atomic x = 0
            shared r0 = 0, r1 = 0
            thread writer { x.store(1, relaxed); x.store(2, relaxed) }
            thread reader { r0 = x.load(relaxed); r1 = x.load(relaxed) }
            expect never r0 > r1
            """
        #expect(try values(text).allSatisfy { $0[0] <= $0[1] })
    }

    #if arch(x86_64)
        @Test func `A mutex is an update for the store buffer, when it is unlocked, too`() throws {
            let text = """
                atomic x = 0, y = 0
                shared r0 = 0, r1 = 0
                mutex m, n
                thread left { lock m { x.store(1, relaxed) }; r0 = y.load(relaxed) }
                thread right { lock n { y.store(1, relaxed) }; r1 = x.load(relaxed) }
                expect sometimes r0 == 0 && r1 == 0
                """
            #expect(try values(text).isSubset(of: [[0, 1], [1, 0], [1, 1]]))
        }

        @Test(arguments: [
            // MP: stores remain in order, and so do loads.
            (
                "thread a { x.store(1, relaxed); y.store(1, relaxed) }",
                "thread b { r0 = y.load(relaxed); r1 = x.load(relaxed) }", [1, 0]
            ),
            // LB: a store does not overtake an earlier load.
            (
                "thread a { r0 = x.load(relaxed); y.store(1, relaxed) }",
                "thread b { r1 = y.load(relaxed); x.store(1, relaxed) }", [1, 1]
            ),
        ])
        func `x86 keeps the order of all but a store and a later load`(
            a: String, b: String, forbidden: [Int]
        ) throws {
            let text = "atomic x = 0, y = 0\nshared r0 = 0, r1 = 0\n\(a)\n\(b)\nexpect never r0 == 1 && r1 == 1"
            #expect(try !values(text, rounds: 20_000).contains(forbidden))
        }
    #endif

    @Test func `An update is never lost, and one behind a lock neither`() throws {
        let text = """
            atomic a = 0
            shared b = 0
            mutex m
            thread adder[2] { a.add(1); lock m { b += 1 } }
            """
        #expect(try values(text) == [[2, 2]])
    }

    @Test func `More threads than processors end, too`() throws {
        let text = "atomic a = 0\nthread adder[\(LitmusRun.processors + 2)] { a.add(1) }"
        #expect(try values(text, rounds: 500) == [[LitmusRun.processors + 2]])
    }

    @Test func `Threads that wait for each other's answers finish`() throws {
        let text = """
            atomic ball = 0
            thread a { repeat 3 { await ball.load() % 2 == 0; ball.add(1) } }
            thread b { repeat 3 { await ball.load() % 2 == 1; ball.add(1) } }
            """
        #expect(try values(text, rounds: 2000) == [[6]])
    }

    @Test func `Threads that wait for each other forever are a deadlock`() throws {
        let text = """
            atomic x = 0, y = 0, z = 0
            thread a { await x.load() == 1; y.store(1) }
            thread b { await y.load() == 1; x.store(1) }
            thread c { z.store(1) }
            """
        #expect(try outcomes(text, rounds: 200).rows.map(\.outcome) == [LitmusOutcome(.deadlock)])
    }

    @Test func `Locks taken in different orders end in a deadlock or well`() throws {
        let text = """
            mutex m, n
            shared x = 0
            thread a { lock m { lock n { x += 1 } } }
            thread b { lock n { lock m { x += 1 } } }
            """
        let histogram = try outcomes(text, rounds: 2000)
        #expect(histogram.rounds == 2000)
        #expect(
            Set(histogram.rows.map(\.outcome)).isSubset(of: [LitmusOutcome(.deadlock), LitmusOutcome(.completed, [2])]))
    }

    @Test func `A failed assertion decides, though another thread then waits forever`() throws {
        let text = """
            atomic x = 0
            thread a { assert x.load() == 1; x.store(1) }
            thread b { await x.load() == 2 }
            """
        #expect(try outcomes(text, rounds: 200).rows.map(\.outcome) == [LitmusOutcome(.assertion)])
    }

    @Test func `A run that is stopped counts whole rounds`() throws {
        var plan = LitmusRun.Plan()
        plan.rounds = .max
        var calls = 0
        let result = try LitmusRun.run(try litmus(Self.storeBuffering), plan) { rounds in
            calls += 1
            return rounds > 0
        }
        #expect(calls > 0 && result.histogram.rounds > 0)
        #expect(result.histogram.rows.allSatisfy { [[0, 1], [1, 0], [1, 1]].contains($0.outcome.values) })
    }

    @Test func `A run can be stopped while its threads are in a loop or wait`() throws {
        let texts = [
            "atomic x = 0\nthread t[2] { while x.load() == 0 {} }",
            "atomic x = 0\nthread t { while x.load() == 0 {} }\nthread u { await x.load() == 1 }",
        ]
        for text in texts {
            var plan = LitmusRun.Plan()
            plan.loopTime = .max
            let result = try LitmusRun.run(try litmus(text), plan) { _ in true }
            #expect(result.histogram.rounds == 0)
        }
    }

    @Test func `Of very many outcomes, some are only counted`() throws {
        let histogram = try outcomes("shared x = 0\nthread t { x = choose(1000000) }", rounds: 20_000)
        #expect(histogram.rows.count == 1000 && histogram.others > 0 && histogram.rounds == 20_000)
    }
}
