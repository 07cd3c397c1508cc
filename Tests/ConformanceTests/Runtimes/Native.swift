import Diagnosis
import Support
import Trace

@testable import Execution
@testable import Supervision

/// Real threads, where the operating system decides. The run's events determine how it ended.
struct Native: RuntimeUnderTest {
    func run(_ body: @escaping @Sendable () throws -> Void) -> RunResult {
        guard let memory = try? RecordingMemory() else { return RunResult(ending: .other("no memory"), story: "") }
        let recorder = Recorder(memory: memory)
        guard let reader = try? RecordingReader(attachingTo: memory) else {
            return RunResult(ending: .other("no reader"), story: "")
        }
        let runtime = NativeRuntime(recorder: recorder)
        let observer = Observer(runtime, reader)
        let watch = Watch(every: 5_000_000) { observer.look() }
        runtime.run(body)
        watch.stop()
        let document = observer.stuck ?? observer.everything()
        let findings = Self.findings(in: document)
        // These end no run.
        let ending = findings.first { $0.code.outcome != nil && $0.code != .race && $0.code != .lockOrder }
        return RunResult(
            ending: Self.ending(ending, in: document), hasRace: findings.contains { $0.code == .race },
            story: Story.text(of: document))
    }

    private static func findings(in document: TraceDocument) -> [Finding] {
        var examination = Examination(isWhole: false)
        examination.consume(document.events[...])
        return examination.findings(in: Names(document))
    }

    private static func ending(_ finding: Finding?, in document: TraceDocument) -> Ending {
        switch finding?.code.outcome {
        case nil:
            return document.events.contains { $0.kind == .runComplete } ? .completed : .other("cut off")
        case .deadlock: return .deadlock
        case .livelock: return .livelock
        case .assertion: return .assertion
        case .error: return .error
        case .leak: return .leak
        case .misuse: return .misuse(Story.misuse(in: document))
        case .some(let other): return .other(other.rawValue)
        }
    }

    /// Watches a run from another thread, as the supervisor does from its own process, and ends it when `DeadlockWatch`
    /// sees a deadlock.
    private final class Observer: @unchecked Sendable {
        private unowned let runtime: NativeRuntime
        private let reader: RecordingReader
        private var document = TraceDocument(header: TraceHeader(scenario: "case", runtime: .native))
        private var graph = WaitForGraph()
        private var deadlocks = DeadlockWatch()
        private var consumed = 0
        /// The trace up to where no thread could continue.
        private(set) var stuck: TraceDocument?

        /// The time limit of a run, in nanoseconds of what its threads do: a busy machine does not end it.
        private static let patience: UInt64 = 30_000_000_000
        private var clock = OwnClock()
        /// The clock's time at its first reading: the run's main thread is one of this process, and had computed before.
        private var begin: UInt64?

        init(_ runtime: NativeRuntime, _ reader: RecordingReader) {
            self.runtime = runtime
            self.reader = reader
        }

        /// False when it has ended the run.
        func look() -> Bool {
            reader.drain(into: &document, final: false)
            for event in document.events[consumed...] { graph.consume(event) }
            deadlocks.consume(document.events[consumed...])
            consumed = document.events.count
            let threads = reader.kernelThreads
            let reader = reader
            if deadlocks.seesDeadlock(
                in: graph, known: reader.horizon, now: { reader.now }, { KernelSleep.areAllAsleep(threads) })
            {
                stuck = document
                runtime.requestEnd(.runKilled)
                return false
            }
            clock.read(threads)
            if begin == nil, clock.time > 0 { begin = clock.time }
            if clock.time - (begin ?? clock.time) < Self.patience { return true }
            runtime.requestEnd(.runTimeout, Int(Self.patience))
            return false
        }

        /// After the run and the watch.
        func everything() -> TraceDocument {
            reader.drain(into: &document, final: true)
            return document
        }
    }
}
