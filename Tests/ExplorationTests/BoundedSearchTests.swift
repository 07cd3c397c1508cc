import Exploration
import LabExecution
import Machine
import Testing

@Suite struct BoundedSearchTests {
    /// The schedules of all executions, and how many came again.
    private func run(_ search: BoundedSearch, _ engine: Engine) -> [(schedule: String, verdict: Verdict, bound: Int)] {
        var executions: [(String, Verdict, Int)] = []
        while search.prepare(executions.count) {
            let verdict = search.execute(engine)
            executions.append((engine.schedule.description, verdict, search.bound))
        }
        return executions
    }

    private func engine(_ text: String, spuriousWakeups: Int = 0) throws -> Engine {
        var rules = Rules(spuriousWakeups: spuriousWakeups)
        rules.endsAtCycles = false
        return try TestProgram(text).engine(rules)
    }

    @Test(arguments: SmallPrograms.all)
    func `without a bound every interleaving is run, and run once`(_ text: String) throws {
        let engine = try engine(text)
        let search = BoundedSearch(.none)
        let executions = run(search, engine)
        #expect(executions.count == Interleaving.all(engine).count)
        #expect(Set(executions.map(\.schedule)).count == executions.count)
        #expect(search.isComplete)
        #expect(search.repeated == 0)
    }

    @Test(arguments: SmallPrograms.all)
    func `each round adds what costs as much as its bound`(_ text: String) throws {
        let engine = try engine(text)
        let all = Interleaving.all(engine)
        for (cost, price) in [(Cost.preemptions, \Interleaving.preemptions), (.delays, \.delays)] {
            let search = BoundedSearch(cost)
            let executions = run(search, engine)
            let most = all.map { $0[keyPath: price] }.max() ?? 0
            #expect(search.bound == most)
            #expect(search.isComplete)
            for bound in 0...most {
                let round = executions.filter { $0.bound == bound }
                #expect(round.count == all.filter { $0[keyPath: price] <= bound }.count)
                #expect(Set(round.map(\.schedule)).count == round.count)
            }
            #expect(executions.count - search.repeated == all.count)
        }
    }

    @Test func `with a last bound it says that it has not tried everything`() throws {
        let search = BoundedSearch(.preemptions, upTo: 1)
        let executions = run(search, try engine(SmallPrograms.all[0]))
        #expect(executions.map(\.bound).max() == 1)
        #expect(!search.isComplete)
    }

    @Test func `an execution that was given up is no proof`() throws {
        let engine = try engine("atomic x = 0\nthread t { while true { x.load() } }")
        engine.rules.maximumSteps = 20
        let search = BoundedSearch(.none)
        #expect(run(search, engine).count == 1)
        #expect(!search.isComplete)
    }

    @Test(arguments: [(2, 6), (3, 90)])
    func `unlocked increments have the known number of orders`(_ threads: Int, _ orders: Int) throws {
        let engine = try engine("shared x = 0\nthread t[\(threads)] { x += 1 }")
        let search = BoundedSearch(.none)
        var seen: Set<[Int]> = []
        var number = 0
        while search.prepare(number) {
            _ = search.execute(engine)
            // The main thread only joins, and the first step of each of the others is its start.
            var begun: Set<Int> = [0]
            seen.insert(engine.schedule.choices.map(\.index).filter { $0 != 0 && !begun.insert($0).inserted })
            number += 1
        }
        #expect(seen.count == orders)
    }

    @Test func `waits that end by themselves are searched, and what is chosen`() throws {
        let text = """
            mutex m
            condition c with m
            thread waiter { lock m { c.wait() } }
            thread other { assert choose(3) != 2 }
            """
        #expect(Set(run(BoundedSearch(.none), try engine(text)).map(\.verdict)) == [.deadlock, .assertion])
        let woken = run(BoundedSearch(.none), try engine(text, spuriousWakeups: 1))
        #expect(Set(woken.map(\.verdict)) == [.deadlock, .assertion, .completed])
    }

    @Test func `to leave a thread that yields costs nothing`() throws {
        let text = "atomic x = 0\nthread a { x.store(1); yield; x.store(2) }\nthread b { assert x.load() != 1 }"
        for cost in [Cost.preemptions, .delays] {
            let executions = run(BoundedSearch(cost), try engine(text))
            #expect(executions.first { $0.verdict == .assertion }?.bound == 0)
        }
    }

    @Test(arguments: [Cost.preemptions, .delays])
    func `threads that wait by yielding do not keep it busy forever`(_ cost: Cost) throws {
        let text = "atomic x = 0\nthread waiter[2] { while x.load() == 0 { yield } }\nthread setter { x.store(1) }"
        let engine = try engine(text)
        engine.rules.maximumSteps = 1000
        let verdicts = Set(run(BoundedSearch(cost, upTo: 2), engine).map(\.verdict))
        #expect(verdicts == [.completed])
    }

    @Test func `progress goes from nothing to all`() throws {
        let engine = try engine(SmallPrograms.all[3])
        let search = BoundedSearch(.none)
        var progress: [Double] = []
        while search.prepare(progress.count) {
            _ = search.execute(engine)
            progress.append(search.progress)
        }
        #expect(progress == progress.sorted())
        #expect(progress.first == 0)
        #expect((progress.last ?? 0) > 0.9)
    }
}
