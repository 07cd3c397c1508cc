import Exploration
import LabExecution
import Machine
import Support
import Testing

/// The programs of `Tests/Benchmarks/sct`: small ones with known bugs, which the literature uses to measure strategies.
@Suite struct PublishedBugTests {
    struct Bug: CustomTestStringConvertible, Sendable {
        var program: String
        /// The minimum bounds that show it, by an independent count.
        var preemptions: Int
        var delays: Int
        /// Its probability in a random walk, by the same count, if not small.
        var probability: Double?
        var arguments: [Int]?

        var testDescription: String { program }

        func engine() throws -> Engine {
            let text = try #require(Repository.text(of: "Tests/Benchmarks/sct/\(program).lab"))
            return try TestProgram(whole: text, arguments).engine()
        }
    }

    static let bugs = [
        Bug(program: "CB.stringbuffer", preemptions: 2, delays: 2, probability: 1.0 / 8),
        Bug(program: "CS.account", preemptions: 0, delays: 1, probability: 1.0 / 3),
        Bug(program: "CS.bluetooth_driver", preemptions: 1, delays: 1, probability: 0.0381),
        Bug(program: "CS.carter01", preemptions: 1, delays: 1, probability: 1.0 / 2),
        Bug(program: "CS.circular_buffer", preemptions: 1, delays: 2, probability: 0.9375),
        Bug(program: "CS.circular_buffer", preemptions: 1, delays: 2, probability: 1.0 / 4, arguments: [2]),
        Bug(program: "CS.deadlock01", preemptions: 1, delays: 1, probability: 1.0 / 2),
        Bug(program: "CS.lazy01", preemptions: 0, delays: 0, probability: 1.0 / 3),
        Bug(program: "CS.reorder_3", preemptions: 1, delays: 2, probability: 0.0494),
        Bug(program: "CS.reorder_5", preemptions: 1, delays: 4, probability: 0.0302),
        Bug(program: "CS.stack", preemptions: 1, delays: 1, probability: 1.0 / 4, arguments: [3]),
        Bug(program: "CS.token_ring", preemptions: 0, delays: 2, probability: 1.0 / 6),
        Bug(program: "CS.twostage", preemptions: 1, delays: 1, probability: 1.0 / 64),
        Bug(program: "CS.wronglock_3", preemptions: 1, delays: 1, probability: 0.3716),
        Bug(program: "chess.WorkStealQueue", preemptions: 2, delays: 2),
        Bug(program: "CVE-2013-1792", preemptions: 1, delays: 1, probability: 3.0 / 64),
        Bug(program: "CVE-2016-1972", preemptions: 1, delays: 1, probability: 0.0215),
        Bug(program: "CVE-2016-9806", preemptions: 1, delays: 1, probability: 0.0213),
    ]

    private func leastBound(_ cost: Cost, _ engine: Engine) -> Int? {
        let search = BoundedSearch(cost, upTo: 5)
        var number = 0
        while search.prepare(number) {
            if isBug(search.execute(engine)) { return search.bound }
            number += 1
        }
        return nil
    }

    private func isBug(_ verdict: Verdict) -> Bool { verdict == .assertion || verdict == .deadlock }

    @Test(arguments: bugs)
    func `the least bounds that show a bug are those of an independent count`(_ bug: Bug) throws {
        let engine = try bug.engine()
        #expect(leastBound(.preemptions, engine) == bug.preemptions)
        #expect(leastBound(.delays, engine) == bug.delays)
    }

    @Test(arguments: bugs.filter { $0.probability != nil })
    func `a random walk shows a bug about as often as an independent count says`(_ bug: Bug) throws {
        let engine = try bug.engine()
        let share = Tally(RandomWalk(seed: 1), engine, executions: 2000) { isBug($0) }.share(true)
        let probability = try #require(bug.probability)
        // Here a thread's start is a step too, and so is the main thread's join.
        #expect(share > probability / 2 && share < probability * 2, "\(share) for \(probability)")
    }

    @Test(arguments: bugs)
    func `a search by partial orders finds it`(_ bug: Bug) throws {
        let engine = try bug.engine()
        let search = PartialOrderSearch(rules: engine.rules)
        var number = 0
        var isFound = false
        while !isFound && number < 5000 && search.prepare(number) {
            isFound = isBug(search.execute(engine))
            number += 1
        }
        #expect(isFound)
    }
}
