import Execution
import Machine
import Testing
import Trace

@Suite struct RunningTests {
    @Test(arguments: SampleProgram.all + SampleProgram.corners)
    func `random schedules show the outcomes of a program, and no others`(_ sample: SampleProgram) throws {
        let runner = try LabRunner(sample.text)
        #expect(runner.outcomes() == sample.outcomes)
    }

    @Test(arguments: SampleProgram.all + SampleProgram.corners)
    func `a schedule replays to the same trace`(_ sample: SampleProgram) throws {
        let runner = try LabRunner(sample.text)
        for seed in 0..<10 {
            let first = runner.controlled(seed: UInt64(seed))
            let second = runner.controlled(seed: UInt64(seed))
            #expect(first.schedule == second.schedule)
            #expect(first.document.events == second.document.events)
        }
    }

    @Test(arguments: (SampleProgram.all + SampleProgram.corners).filter { !$0.outcomes.contains(.deadlock) })
    func `real threads run a program to its end`(_ sample: SampleProgram) throws {
        let runner = try LabRunner(sample.text)
        for _ in 0..<20 {
            let isComplete = try runner.completesNatively()
            #expect(sample.outcomes.contains(.completed) || sample.outcomes.contains(.race) || !isComplete)
            if sample.outcomes == [.completed] { #expect(isComplete) }
        }
    }

    @Test func `failures and events point at lines of the file`() throws {
        let run = try LabRunner(SampleProgram.all[0].text).controlled(seed: 1)
        let reads = run.document.events.filter { $0.kind == .cellRead }
        let site = try #require(run.document.site(reads[0].site))
        #expect(site.file == "test.lab")
        #expect(site.line == 4)
    }

    @Test func `x = x + 1 is two steps, a list operation one`() throws {
        let runner = try LabRunner(
            """
            scenario "steps"
            shared x = 0, log = []
            thread t { x = x + 1; x += 1; log.append(x); let n = log.count; assert n == 1 }
            """)
        let run = runner.controlled(seed: 1)
        let kinds = run.document.events.filter { $0.thread == ThreadID(1) }.map(\.kind)
        #expect(
            kinds == [
                .threadStart, .cellRead, .cellWrite, .cellRead, .cellWrite, .cellRead, .listWrite, .listRead,
                .threadExit,
            ])
    }

    /// A program whose thread makes every kind of access to a list.
    private static let lists = """
        scenario "lists"
        shared log = [3, 4], flags = [true]
        semaphore places = 2
        thread t {
            log.append(5)
            let first = log.removeFirst()
            log[0] = first + 6
            let n = log.count + log[1]
            log.removeLast()
            flags.append(n == 0)
            log.removeAll()
            places.wait()
        }
        """

    private static let valuesOfLists = [
        "[3, 4, 5]", "[4, 5]", "[9, 5]", "[9, 5]", "[9, 5]", "[9]", "[true, false]", "[]",
    ]

    @Test func `a step on a list says what is in the list after it, and the trace how many permits a semaphore had`()
        throws
    {
        let document = try LabRunner(Self.lists).controlled(seed: 1).document
        let texts = document.events.filter(\.kind.isOfList).map { document.text(of: $0) }
        #expect(texts == Self.valuesOfLists)
        #expect(document.objects.compactMap { $0?.permits } == [2])
    }

    @Test func `a thread that takes from an empty list is shown with what it found`() throws {
        let runner = try LabRunner("scenario \"empty\"\nshared log = []\nthread t { log.removeFirst() }")
        let document = runner.controlled(seed: 1).document
        #expect(document.events.filter(\.kind.isOfList).map { document.text(of: $0) } == ["[]"])
    }

    @Test func `an await reads again when something that it read is written, and only then`() throws {
        let runner = try LabRunner(
            """
            scenario "gate"
            atomic gate = 0, other = 0
            thread opener { repeat 50 { other.add(1) }; gate.store(1) }
            thread guest { await gate.load() == 1 }
            """)
        for seed in 0..<50 {
            let run = runner.controlled(seed: UInt64(seed))
            #expect(run.outcome.kind == .completed)
            #expect(run.document.events.count { $0.kind == .atomicLoad } <= 2)
        }
    }
}
