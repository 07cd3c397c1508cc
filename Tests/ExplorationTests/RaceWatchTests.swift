import Diagnosis
import Execution
import Exploration
import LabExecution
import LabProgram
import LabSyntax
import Machine
import Primitives
import Support
import Testing
import Trace

@Suite struct RaceWatchTests {
    static let programs =
        SmallPrograms.withCells.map { "scenario \"small\"\n" + $0 }
        + Repository.files(in: "Tests/Benchmarks", ending: ".lab")

    /// The sentence that reports a race, from its later thread on: of several earlier accesses either may be named.
    private func words(_ race: DataRace, _ document: TraceDocument) -> String {
        let later = document.name(of: ThreadID(race.later))
        let made = document.objects.compactMap { $0 }.filter { $0.maker == ThreadID(race.cell.maker) }
        let cell = made[race.cell.nth].name
        let uses = race.earlierWrites && race.laterWrites ? "write" : "access"
        return " and \(later) \(uses) \(cell) without synchronization."
    }

    private func expectAgreement(_ races: [DataRace], _ document: TraceDocument, _ hint: String) {
        var detector = RaceDetector()
        let run = detector.consume(all: document.events)
        let findings = detector.findings(in: Names(document), run)
        #expect(findings.count == races.count, "\(hint)")
        for (finding, race) in zip(findings, races) {
            #expect(finding.summary.hasSuffix(words(race, document)), "\(hint)")
        }
    }

    @Test(arguments: programs)
    func `it finds what the detector finds in the same execution's trace`(_ text: String) throws {
        let bytecode = try TestProgram(whole: text).bytecode
        let engine = Engine(bytecode)
        for seed in UInt64(0)..<100 {
            let sink = DocumentSink(header: TraceHeader(scenario: "test", runtime: .controlled))
            let watch = RaceWatch()
            let runtime = ControlledRuntime(chooser: RandomWalk(seed: seed), journal: Journal(into: sink))
            runtime.driver.observers = [watch]
            _ = runtime.run { try InterpretedProgram(bytecode).run() }
            expectAgreement(watch.races, sink.document, "seed \(seed): \(runtime.schedule)")
            let flat = RaceWatch()
            engine.observers = [flat]
            _ = engine.execute(RandomWalk(seed: seed))
            #expect(flat.races == watch.races, "seed \(seed)")
        }
    }

    @Test(arguments: programs)
    func `it sees the same in a search that goes back as in one that starts anew`(_ text: String) throws {
        let rules = Rules(maximumSteps: 1000)
        let bytecode = try TestProgram(whole: text).bytecode
        let engine = Engine(bytecode, rules: rules)
        let other = Engine(bytecode, rules: rules)
        let search = PartialOrderSearch(rules: rules)
        let watch = RaceWatch()
        let again = RaceWatch()
        engine.observers = [watch]
        other.observers = [again]
        var number = 0
        while number < 200 && search.prepare(number) {
            if search.execute(engine) != .stopped {
                _ = other.execute(Replay(engine.schedule))
                #expect(again.races == watch.races, "\(engine.schedule)")
            }
            number += 1
        }
    }

    @Test func `cells that are made while threads run, and threads that are started late, are followed too`() {
        for seed in UInt64(0)..<200 {
            let sink = DocumentSink(header: TraceHeader(scenario: "test", runtime: .controlled))
            let watch = RaceWatch()
            let runtime = ControlledRuntime(chooser: RandomWalk(seed: seed), journal: Journal(into: sink))
            runtime.driver.observers = [watch]
            _ = runtime.run {
                let mutex = Mutex("m")
                let early = try Thread("early") { try mutex.withLock {} }
                let cell = Shared("cell", 0)
                let late = try Thread("late") {
                    try mutex.withLock { try cell.write(1) }
                    let own = Shared("own", 0)
                    let last = try Thread("last") { try own.write(2) }
                    try own.write(3)
                    try last.join()
                }
                try mutex.withLock { _ = try cell.read() }
                try cell.write(2)
                try late.join()
                try early.join()
            }
            expectAgreement(watch.races, sink.document, "seed \(seed)")
        }
    }

    @Test func `a race is the same whichever access came first`() throws {
        var places: Set<Int> = []
        let engine = try TestProgram("shared x = 0, y = 0\nthread a { x = 1 }\nthread b[2] { y = x }").engine()
        let watch = RaceWatch()
        engine.observers = [watch]
        let search = BoundedSearch(.none)
        var number = 0
        while search.prepare(number) {
            _ = search.execute(engine)
            places.formUnion(watch.races.map(\.place))
            number += 1
        }
        // One of x, between a read and a write, and one of y, between two writes.
        #expect(places.count == 2)
    }

    @Test func `the step that is cut off by the limit is no access`() throws {
        let engine = try TestProgram("shared x = 0\nthread t[2] { x = 1 }").engine(Rules(maximumSteps: 1))
        let watch = RaceWatch()
        engine.observers = [watch]
        #expect(engine.execute(RandomWalk(seed: 1)) == .stepLimit)
        #expect(watch.races.isEmpty)
    }
}
