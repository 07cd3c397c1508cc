import Exploration
import LabExecution
import Machine
import Testing

/// A search of what can happen after some choices.
@Suite struct PrefixedSubjectTests {
    private struct End: Hashable {
        let verdict: Verdict
        let place: Int
        let memory: [Int]

        init(_ verdict: Verdict, _ subject: any Subject) {
            self.verdict = verdict
            place = subject.place
            memory = subject.machine.memory.map(\.value)
        }
    }

    private func engine(_ text: String) throws -> Engine {
        var rules = Rules()
        rules.endsAtCycles = false
        return try TestProgram(text).engine(rules)
    }

    /// Every end that the strategy sees, with the schedule of its first execution.
    private func ends(_ strategy: any Strategy, _ subject: any Subject) -> [(schedule: Schedule, end: End)] {
        var ends: [(Schedule, End)] = []
        while strategy.prepare(ends.count) {
            let verdict = strategy.execute(subject)
            ends.append((subject.schedule, End(verdict, subject)))
        }
        return ends
    }

    @Test(arguments: SmallPrograms.all)
    func `finds the ends of all executions that begin so, and no others`(_ text: String) throws {
        let engine = try engine(text)
        let all = ends(BoundedSearch(.none), engine)
        let longest = try #require(all.max { $0.schedule.choices.count < $1.schedule.choices.count }).schedule
        for length in 0...longest.choices.count {
            let prefix = Array(longest.choices.prefix(length))
            // A step's alternative belongs to the step.
            if length < longest.choices.count && longest.choices[length].isAlternative { continue }
            let expected = Set(all.filter { $0.schedule.choices.starts(with: prefix) }.map(\.end))
            let search = PartialOrderSearch(rules: engine.rules)
            let found = ends(search, PrefixedSubject(engine, Schedule(prefix)))
            #expect(search.obstacle == nil && Set(found.map(\.end)) == expected, "after \(Schedule(prefix))")
            #expect(found.allSatisfy { $0.schedule.choices.starts(with: prefix) })
        }
    }

    @Test(arguments: SmallPrograms.all, [StrategyChoice.random, .pos, .pct, .surw, .urw])
    func `random executions after a prefix end as others that begin so`(
        _ text: String, _ choice: StrategyChoice
    ) throws {
        let engine = try engine(text)
        let all = ends(BoundedSearch(.none), engine)
        let longest = try #require(all.max { $0.schedule.choices.count < $1.schedule.choices.count }).schedule
        for length in 0...longest.choices.count {
            let prefix = Array(longest.choices.prefix(length))
            if length < longest.choices.count && longest.choices[length].isAlternative { continue }
            let expected = Set(all.filter { $0.schedule.choices.starts(with: prefix) }.map(\.end))
            let subject = PrefixedSubject(engine, Schedule(prefix))
            let strategy = choice.make(StrategySettings())
            for number in 0..<50 where strategy.prepare(number) {
                let verdict = strategy.execute(subject)
                #expect(expected.contains(End(verdict, subject)), "after \(Schedule(prefix))")
            }
        }
    }

    @Test func `choices that do not fit end each execution`() throws {
        let subject = PrefixedSubject(try engine("thread t { yield }"), Schedule([.thread(7)]))
        #expect(RandomWalk(seed: 1).execute(subject) == .stopped)
    }
}
