import Diagnosis
import Execution
import Exploration
import LabExecution
import Machine
import Primitives
import Testing
import Trace

/// What memory orders order, which shows in data races.
@Suite struct MemoryOrderTests {
    @Test(arguments: OrderedProgram.all)
    func `a program has a race if its memory orders leave two accesses unordered, and only then`(
        _ program: OrderedProgram
    ) throws {
        let engine = try TestProgram(program.text).engine()
        let traces = try #require(KindsOfEnd(engine, .dpor, limit: 10_000))
        #expect(traces.findings.contains { $0.kind == .race } == program.hasRace)
        for settings in StateAgreementTests.settings {
            let states = try #require(KindsOfEnd(engine, settings, countsTerminals: false))
            #expect(states.findings == traces.findings)
        }
    }

    @Test(arguments: UInt64(0)..<30)
    func `in random programs, clocks and the search by states find the races that the definitions give`(
        _ seed: UInt64
    ) throws {
        // In every second one, weak compare-exchanges may fail without a reason.
        let isWeak = seed % 2 == 0
        let text = WeakProgram(seed: seed, hasWeakUpdates: isWeak).text
        let rules = Rules(maximumSteps: 300, spuriousWakeups: isWeak ? 1 : 0)
        let program = try TestProgram(text)
        let engine = program.engine(rules)
        var hasRace = false
        for walk in UInt64(0)..<15 {
            let (document, watch, schedule) = run(program.bytecode, RandomWalk(seed: walk), rules)
            let racy = OrderByDefinition(document).racyCells
            var detector = RaceDetector()
            let state = detector.consume(all: document.events)
            let found = detector.findings(in: Names(document), state).flatMap { $0.objects.map(\.index) }
            let hint: Comment = "--schedule \(schedule)\n\(text)"
            #expect(Set(found) == racy, hint)
            #expect(Set(watch.races.map { UInt32($0.cell.nth) }).count == racy.count, hint)
            if !racy.isEmpty { hasRace = true }
        }
        guard let traces = KindsOfEnd(engine, .dpor, limit: 3000) else { return }
        if hasRace { #expect(traces.findings.contains { $0.kind == .race }) }
        for settings in StateAgreementTests.settings {
            var settings = settings
            settings.rules = rules
            let states = try #require(KindsOfEnd(engine, settings, countsTerminals: false))
            #expect(states.findings == traces.findings, "\(text)")
        }
    }

    private func run(
        _ bytecode: Bytecode, _ chooser: any Chooser, _ rules: Rules = Rules()
    ) -> (TraceDocument, RaceWatch, Schedule) {
        let sink = DocumentSink(header: TraceHeader(scenario: "test", runtime: .controlled))
        let watch = RaceWatch()
        let runtime = ControlledRuntime(chooser: chooser, rules: rules, journal: Journal(into: sink))
        runtime.driver.observers = [watch]
        _ = runtime.run { try InterpretedProgram(bytecode).run() }
        return (sink.document, watch, runtime.schedule)
    }

    @Test(arguments: [
        ("x.store(1, relaxed)", "x.load(relaxed)", "but both are relaxed, so x orders nothing."),
        ("x.store(1, relaxed)", "x.load()", "but the write is relaxed, so it orders nothing."),
        ("x.store(1, release)", "x.load(relaxed)", "but it reads with relaxed only, which acquires nothing."),
    ])
    func `a race says which memory order leaves its accesses unordered`(
        _ write: String, _ read: String, _ reason: String
    ) throws {
        let text = """
            atomic x = 0
            shared message = 0
            thread writer { message = 1; \(write) }
            thread reader { if \(read) == 1 { message = 2 } }
            """
        let program = try TestProgram(text)
        let stories = (UInt64(0)..<50).map { seed in
            let document = run(program.bytecode, RandomWalk(seed: seed)).0
            var detector = RaceDetector()
            let state = detector.consume(all: document.events)
            return detector.findings(in: Names(document), state).flatMap(\.story).joined(separator: " ")
        }
        #expect(stories.contains { $0.contains(reason) })
    }

    private enum Handover: CaseIterable { case relaxed, ordered, fenced }

    @Test(arguments: Handover.allCases)
    private func `a scenario in Swift has a race if its flag is relaxed, unless there are fences`(_ handover: Handover)
    {
        var hasRace = false
        for seed in UInt64(0)..<60 {
            let watch = RaceWatch()
            let runtime = ControlledRuntime(chooser: RandomWalk(seed: seed))
            runtime.driver.observers = [watch]
            _ = runtime.run {
                let (flag, message) = (Primitives.Atomic("flag", 0), Shared("message", 0))
                let writer = try Thread("writer") {
                    try message.write(1)
                    if handover == .fenced { try Fence.issue(ordering: .releasing) }
                    try flag.store(1, ordering: handover == .ordered ? .releasing : .relaxed)
                }
                if try flag.load(ordering: handover == .ordered ? .acquiring : .relaxed) == 1 {
                    if handover == .fenced { try Fence.issue(ordering: .acquiring) }
                    _ = try message.read()
                }
                try writer.join()
            }
            if !watch.races.isEmpty { hasRace = true }
        }
        #expect(hasRace == (handover == .relaxed))
    }

    @Test func `an execution that goes back has the clocks of one that starts anew`() throws {
        for program in OrderedProgram.all {
            let rules = Rules(maximumSteps: 1000)
            let bytecode = try TestProgram(program.text).bytecode
            let (engine, other) = (Engine(bytecode, rules: rules), Engine(bytecode, rules: rules))
            let (watch, again) = (RaceWatch(), RaceWatch())
            (engine.observers, other.observers) = ([watch], [again])
            let search = PartialOrderSearch(rules: rules)
            var number = 0
            while number < 100 && search.prepare(number) {
                if search.execute(engine) != .stopped {
                    _ = other.execute(Replay(engine.schedule))
                    #expect(again.races == watch.races, "\(program.testDescription): \(engine.schedule)")
                }
                number += 1
            }
        }
    }
}
