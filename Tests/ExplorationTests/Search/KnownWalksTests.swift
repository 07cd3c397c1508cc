import Exploration
import LabExecution
import Machine
import Testing
import Trace

/// Random walks that are looked up instead of run.
@Suite struct KnownWalksTests {
    /// What consecutive units of a search report.
    private func reports(
        _ subject: any Subject, _ rules: Rules, _ goal: SearchGoal, remembering: Bool, units: Int = 2, size: Int = 100
    ) -> [UnitReport] {
        var settings = StrategySettings()
        settings.rules = rules
        let known = remembering ? KnownWalks(subject, seed: settings.seed, rules: rules, goal: goal) : nil
        return (0..<units).map { number in
            let executions = number * size..<(number + 1) * size
            let unit = Agenda.Unit(strategy: .random, executions: executions, before: executions.lowerBound)
            let walk = ObservedStrategy(
                StrategyChoice.random.make(settings), distinguishesTraces: false, known: known)
            var search = UnitSearch(unit, goal)
            return search.run(walk, on: subject, isStopped: { false })
        }
    }

    private func expectAgreement(_ engine: Engine, _ rules: Rules, _ goal: SearchGoal, _ comment: Comment) {
        let all = reports(engine, rules, goal, remembering: false)
        for (report, expected) in zip(reports(engine, rules, goal, remembering: true), all) {
            #expect(report.counts == expected.counts, comment)
            #expect(report.findings == expected.findings, comment)
            #expect(report.seenStates == expected.seenStates, comment)
            #expect(report.end == expected.end, comment)
        }
    }

    private var everything: SearchGoal {
        var goal = SearchGoal()
        goal.keepsGoing = true
        return goal
    }

    @Test(arguments: StateAgreementTests.rules)
    func `a search of small programs that remembers reports what one that runs each walk does`(_ rules: Rules) throws {
        for (name, text) in StateAgreementTests.texts {
            expectAgreement(try TestProgram(text).engine(rules), rules, everything, "\(name), \(rules)")
        }
    }

    @Test(arguments: StateAgreementTests.rules)
    func `a search of random programs that remembers reports what one that runs each walk does`(_ rules: Rules) throws {
        for seed in UInt64(1)...20 {
            let texts = [
                RandomProgram(seed: seed).lab, EarlyEndProgram(seed: seed).text, FeatureProgram(seed: seed).text,
            ]
            for text in texts {
                expectAgreement(try TestProgram(text).engine(rules), rules, everything, "\(rules)\n\(text)")
            }
        }
    }

    @Test func `it ends at the same finding, and sees the same states`() throws {
        for (name, text) in StateAgreementTests.texts {
            let rules = Rules(maximumSteps: 300)
            var goal = SearchGoal()
            goal.tolerated = [.race]
            goal.soughtStates = 4
            goal.seenStates = { subject in [(subject.machine.memory.first?.value ?? 0) & 3] }
            expectAgreement(try TestProgram(text).engine(rules), rules, goal, "\(name)")
        }
    }

    @Test func `few walks of a small program are run`() throws {
        let text = "mutex a, b\nshared x = 0\nthread t[2] { lock a { lock b { x += 1 } } }"
        let subject = CountedSubject(try TestProgram(text).engine())
        let report = try #require(
            reports(subject, Rules(), SearchGoal(), remembering: true, units: 1, size: 10_000).first)
        #expect(report.counts.executions == 10_000)
        #expect(subject.steps.count < report.counts.steps / 100)
    }

    @Test func `nothing is remembered if final states are counted`() throws {
        var goal = everything
        goal.countsTerminals = true
        let engine = try TestProgram("atomic x = 0\nthread t[2] { x.add(1) }").engine()
        #expect(KnownWalks(engine, seed: 1, rules: Rules(), goal: goal) == nil)
    }

    @Test func `a program whose walks all differ is searched as without memory`() throws {
        // Each walk visits states that no other one does.
        let text = "atomic x = 0\nthread t[3] { repeat 40 { x.store(x.load() * 3 + index) } }"
        let engine = try TestProgram(text).engine()
        let all = reports(engine, Rules(), everything, remembering: false, units: 1, size: 200)
        let some = reports(engine, Rules(), everything, remembering: true, units: 1, size: 200)
        #expect(some.map(\.counts) == all.map(\.counts))
    }
}
