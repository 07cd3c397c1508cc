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

    @Test(arguments: [3, 16, 17, 40, 62])
    func `threads that do not meet multiply nothing`(_ threads: Int) throws {
        let program = try TestProgram(
            "atomic x = 0, y[64] = 0\nthread t[\(threads)] { y[index].add(1); if index < 3 { x.add(1) } }")
        let search = exhaust(program.engine())
        #expect(search.completeCount == 6)
        #expect(search.redundantCount == 0)
    }

    @Test func `more threads than it can tell apart are an obstacle, and no proof`() throws {
        let search = exhaust(try TestProgram("atomic x = 0\nthread t[64] { x.add(1) }").engine())
        #expect(search.obstacle == .tooManyThreads(limit: 64))
    }

    @Test func `a loop that spins bounds the search`() throws {
        let rules = Rules(maximumSteps: 40)
        let program = try TestProgram(
            "atomic go = false\nthread setter { go.store(true) }\nthread waiter { while !go.load() { yield } }")
        #expect(exhaust(program.engine(rules), rules).isBounded)
    }

    @Test(arguments: PublishedProgram.all.filter { $0.traces < 100 })
    func `fibers begin anew where the flat engine goes back, and come to the same`(_ published: PublishedProgram) throws
    {
        var rules = Rules()
        rules.waiters = .fifo
        rules.endsAtCycles = false
        let program = try TestProgram(published.text)
        let subject = ControlledSubject(rules) { try CompiledProgram(program.bytecode).run() }
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
            Issue.record("nobody noticed")
            return
        }
    }
}
