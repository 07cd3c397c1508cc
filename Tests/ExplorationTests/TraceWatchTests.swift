import Exploration
import LabExecution
import Machine
import Testing

@Suite struct TraceWatchTests {
    private func rules(_ waiters: Rules.Waiters = .any) -> Rules {
        var rules = Rules()
        rules.endsAtCycles = false
        rules.waiters = waiters
        return rules
    }

    /// The distinct traces of all executions of a search.
    private func traces(_ strategy: any Strategy, _ engine: Engine) -> Set<UInt64> {
        let watch = TraceWatch()
        engine.observers = [watch]
        defer { engine.observers = [] }
        var traces: Set<UInt64> = []
        var number = 0
        while strategy.prepare(number) {
            if strategy.execute(engine) != .stopped { traces.insert(watch.trace) }
            number += 1
        }
        return traces
    }

    /// Without programs whose awaits fail in some interleavings: a search of traces takes these as one event.
    @Test(arguments: SmallPrograms.all.filter { !$0.contains("await x") })
    func `all interleavings have as many numbers as there are traces`(_ text: String) throws {
        let engine = try TestProgram(text).engine(rules())
        let search = PartialOrderSearch(rules: engine.rules)
        let reduced = traces(search, engine)
        #expect(reduced.count == search.completeCount)
        #expect(traces(BoundedSearch(.none), engine) == reduced)
    }

    @Test(arguments: [
        ("mutex a, b\nthread p { lock a { lock b { } } }\nthread q { lock b { lock a { } } }", 3),
        ("mutex a, b\nthread p[2] { lock a { lock b { } } }", 2),
        ("shared x = 0\nmutex m\nthread t[3] { lock m { x += 1 } }", 6),
        ("shared x = 0\nthread t[2] { x += 1 }", 4),
        ("shared x = 0\nmutex m\nthread t[3] { repeat 3 { lock m { x += 1 } } }", 1680),
    ])
    func `small programs have the known number of traces`(_ text: String, _ count: Int) throws {
        let engine = try TestProgram(text).engine(rules(.fifo))
        #expect(traces(PartialOrderSearch(rules: engine.rules), engine).count == count)
    }

    @Test func `a random walk shows no other traces than there are`() throws {
        let engine = try TestProgram("shared x = 0\nmutex m\nthread t[3] { lock m { x += 1 } }").engine(rules())
        let watch = TraceWatch()
        engine.observers = [watch]
        let walk = RandomWalk(seed: 1)
        var seen = DistinctTraces()
        for number in 0..<500 {
            _ = walk.prepare(number)
            _ = walk.execute(engine)
            seen.add(watch.trace)
        }
        #expect(seen.count == 6)
        #expect(seen.isExact)
        #expect(seen.chanceOfNew == 0)
    }
}
