import Support
import Testing

@testable import Execution
@testable import Trace

@Suite struct NarrowRecordingTests {
    /// Filled by the watch's thread, and read once that has ended.
    private final class Found: @unchecked Sendable {
        let reader: RecordingReader
        var document = Recordings.document()

        init(_ memory: RecordingMemory) throws { reader = try RecordingReader(attachingTo: memory) }

        func drain(final: Bool) { reader.drain(into: &document, final: final) }
    }

    @Test func `threads that wait for room do not block others, so nothing is lost where there is hardly any`() throws {
        let recorder = Recorder(memory: try RecordingMemory(size: 1))
        let runtime = NativeRuntime(recorder: recorder)
        let found = try Found(recorder.memory)
        let watch = Watch(every: 1_000_000) {
            found.drain(final: false)
            return true
        }
        let result = runtime.result {
            let lab = Lab(runtime: runtime)
            let cell = lab.make(.cell, .cell)
            let threads = try (0..<2).map { _ in
                try lab.thread { for number in 0..<50_000 { _ = try lab.perform(.write, cell, number) } }
            }
            for thread in threads { try lab.join(thread) }
        }
        watch.stop()
        found.drain(final: true)
        #expect(result.isComplete)
        #expect(found.document.dropped == 0)
        #expect(found.document.events.count { $0.kind == .cellWrite } == 100_000)
    }
}
