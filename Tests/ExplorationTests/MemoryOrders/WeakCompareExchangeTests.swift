import Diagnosis
import Execution
import Exploration
import LabExecution
import Machine
import Testing
import Trace

/// Weak compare-exchanges, which may fail though they find the expected value.
@Suite struct WeakCompareExchangeTests {
    private static func rules(_ spurious: Int) -> Rules { Rules(maximumSteps: 300, spuriousWakeups: spurious) }

    private func kinds(_ text: String, _ spurious: Int) throws -> Set<OutcomeKind> {
        let engine = try TestProgram(text).engine(Self.rules(spurious))
        let traces = try #require(KindsOfEnd(engine, .dpor, limit: 10_000))
        for settings in StateAgreementTests.settings {
            var settings = settings
            settings.rules = Self.rules(spurious)
            let states = try #require(KindsOfEnd(engine, settings, countsTerminals: false))
            #expect(states.findings == traces.findings)
        }
        return Set(traces.findings.map(\.kind))
    }

    @Test func `it fails without a reason only if the rules allow it`() throws {
        let text = "atomic x = 0\nthread t { if !x.weakCompareExchange(expected: 0, desired: 1) { assert false } }"
        #expect(try kinds(text, 0) == [.completed])
        #expect(try kinds(text, 1) == [.completed, .assertion])
    }

    @Test func `it fails so only as often as the rules allow`() throws {
        let text = """
            atomic x = 0, y = 0
            thread t {
                var failures = 0
                if !x.weakCompareExchange(0, 1) { failures += 1 }
                if !y.weakCompareExchange(0, 1) { failures += 1 }
                assert failures < 2
            }
            """
        #expect(try kinds(text, 1) == [.completed])
        #expect(try kinds(text, 2) == [.completed, .assertion])
    }

    @Test func `it fails in any case where it does not find the expected value, and then it reads that`() throws {
        let text =
            "atomic x = 3\nthread t { if x.weakCompareExchange(0, 1) { assert false } else { assert x.load() == 3 } }"
        for spurious in 0...2 { #expect(try kinds(text, spurious) == [.completed]) }
    }

    @Test func `a failure without a reason has the order of a failure, and stores nothing`() throws {
        let text = """
            atomic x = 1
            shared message = 0
            thread a { message = 1; x.store(1, release) }
            thread b { if !x.weakCompareExchange(1, 2, acquire, relaxed) { assert x.load(relaxed) == 1; message = 2 } }
            """
        #expect(try kinds(text, 1).isSuperset(of: [.race]))
    }

    @Test func `its event is a mismatch with the value that it found, and the order of a failure`() throws {
        let text = "atomic x = 7\nthread t { if !x.weakCompareExchange(7, 1, acqRel, relaxed) { note \"failed\" } }"
        let program = try TestProgram(text)
        var values: Set<Int64> = []
        var orders: Set<MemoryOrder> = []
        for seed in UInt64(0)..<50 {
            let sink = DocumentSink(header: TraceHeader(scenario: "test", runtime: .controlled))
            let runtime = ControlledRuntime(
                chooser: RandomWalk(seed: seed), rules: Self.rules(1), journal: Journal(into: sink))
            _ = runtime.run { try InterpretedProgram(program.bytecode).run() }
            let failures = sink.document.events.filter { $0.kind == .atomicMismatch }
            values.formUnion(failures.map(\.value))
            orders.formUnion(failures.map(\.order))
        }
        #expect(values == [7] && orders == [.relaxed])
    }

    @Test(arguments: UInt64(0)..<12, 0...2)
    func `in random programs, searches by partial orders and by states find what all interleavings show`(
        _ seed: UInt64, _ spurious: Int
    ) throws {
        let text = WeakProgram(seed: seed, hasWeakUpdates: true).text
        let engine = try TestProgram(text).engine(Self.rules(spurious))
        guard let all = KindsOfEnd(engine, .dfs, limit: 4000) else { return }
        let traces = try #require(KindsOfEnd(engine, .dpor, limit: 20_000))
        #expect(traces.findings == all.findings, "\(text)")
        #expect(traces.terminals == all.terminals, "\(text)")
        for settings in StateAgreementTests.settings {
            var settings = settings
            settings.rules = Self.rules(spurious)
            let states = try #require(KindsOfEnd(engine, settings, countsTerminals: false))
            #expect(states.findings == all.findings, "\(text)")
        }
    }
}
