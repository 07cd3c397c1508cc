import Execution
import Exploration
import LabExecution
import LabSyntax
import Machine
import Testing

@Suite struct PartialOrderSearchTests {
    private func exhaust(_ subject: any Subject, _ rules: Rules = Rules()) -> PartialOrderSearch {
        let search = PartialOrderSearch(rules: rules)
        var number = 0
        while search.prepare(number) {
            _ = search.execute(subject)
            number += 1
        }
        return search
    }

    @Test(arguments: [3, 16, 17, 40, 62, 64, 65, 130, 200])
    func `threads that do not meet multiply nothing`(_ threads: Int) throws {
        let program = try TestProgram(
            "atomic x = 0, y[\(threads)] = 0\nthread t[\(threads)] { y[index].add(1); if index < 3 { x.add(1) } }")
        let search = exhaust(program.engine())
        #expect(search.completeCount == 6)
        #expect(search.redundantCount == 0)
        #expect(search.obstacle == nil)
    }

    @Test(arguments: PublishedProgram.all.filter { $0.traces < 1000 })
    func `a crowd of threads that do nothing changes no count`(_ published: PublishedProgram) throws {
        var rules = Rules()
        rules.waiters = .fifo
        rules.endsAtCycles = false
        let crowd = try TestProgram("thread crowd[66] { yield }\n" + published.text)
        let search = exhaust(crowd.engine(rules), rules)
        #expect(search.obstacle == nil)
        #expect(search.completeCount == published.traces)
        #expect(search.redundantCount == 0)
    }

    @Test func `threads that a running thread starts may become more than a word has bits`() throws {
        let program = try TestProgram(
            """
            atomic x = 0
            thread boss { x.add(1); spawn late; x.add(1); join late }
            thread t[63] { if index == 60 { x.add(1) } }
            thread late { x.add(1) }
            """)
        let search = exhaust(program.engine())
        // The late thread's step comes after the boss's first, before or after its second; that of `t` anywhere among
        // the three.
        #expect(search.completeCount == 8)
        #expect(search.redundantCount == 0)
    }

    @Test func `in long executions a reversal costs no more for what has nothing to do with it`() throws {
        let program = try TestProgram(
            """
            atomic a = 0, b = 0, c = 0, x = 0
            thread t0 { for i in 1...3000 { a.add(1) }; x.add(1); x.add(2) }
            thread t1 { for i in 1...3000 { b.add(1) }; x.add(1); x.add(2) }
            thread t2 { for i in 1...3000 { c.add(1) }; x.add(1); x.add(2) }
            """)
        let search = exhaust(program.engine())
        #expect(search.completeCount == 90)
        #expect(search.redundantCount == 0)
    }

    @Test func `a loop that spins bounds the search`() throws {
        let rules = Rules(maximumSteps: 40)
        let program = try TestProgram(
            "atomic go = false\nthread setter { go.store(true) }\nthread waiter { while !go.load() { yield } }")
        #expect(exhaust(program.engine(rules), rules).isBounded)
    }

    @Test(arguments: PublishedProgram.all.filter { $0.traces < 100 })
    func `fibers start again where the flat engine goes back, with the same results`(_ published: PublishedProgram)
        throws
    {
        var rules = Rules()
        rules.waiters = .fifo
        rules.endsAtCycles = false
        let program = try TestProgram(published.text)
        let subject = ControlledSubject(rules) { try InterpretedProgram(program.bytecode).run() }
        #expect(exhaust(subject, rules).completeCount == published.traces)
    }

    @Test func `what a thread does after a failure of another is tried as well`() throws {
        let program = try TestProgram(
            """
            shared x = 0, y = 0
            thread hasty { assert x == 0 }
            thread other { x = 1; y = 1; assert y == 0 }
            """)
        let search = PartialOrderSearch(rules: Rules())
        let engine = program.engine()
        var places: Set<Int> = []
        var number = 0
        while search.prepare(number) {
            if search.execute(engine) == .assertion { places.insert(engine.place) }
            number += 1
        }
        #expect(places == [3, 4])
    }

    @Test func `a program that does something else the next time is an obstacle`() {
        var count = 0
        let subject = ControlledSubject(Rules()) {
            count += 1
            let runtime = ThreadContext.runtime
            let cell = runtime.makeObject(.atomic, shownAs: .atomic, name: nil, value: 0, at: .unknown)
            let body: () throws -> Int = {
                for _ in 0..<(count > 1 ? 1 : 4) {
                    _ = try runtime.perform(Operation(.add, cell.id, 1), on: cell, with: nil, at: .unknown)
                }
                return 0
            }
            let threads = try (0..<2).map { _ in
                try runtime.startThread(named: nil, ThreadAttributes(), at: .unknown, body: .plain { _ = try body() })
            }
            for thread in threads {
                _ = try runtime.perform(Operation(.join, 0, Int(thread.id)), on: thread, with: nil, at: .unknown)
            }
        }
        guard case .diverged = exhaust(subject).obstacle else {
            Issue.record("the mistake was not noticed")
            return
        }
    }
}
