import Glibc
import Machine
import Testing
import Trace

@testable import Execution

@Suite struct NativeExitTests {
    private static func path(_ process: Int32) -> String { "/tmp/threadlab-test-\(process)-exit" }

    @Test func `a process that really exits cuts its threads off, and leaves a whole recording`() async throws {
        let path = Self.path(getpid())
        defer { unlink(path) }
        await #expect(processExitsWith: .exitCode(0)) {
            let recorder = Recorder(memory: try RecordingMemory(.file(Self.path(getppid()))))
            var options = NativeRuntime.Options()
            options.exit = { _exit(0) }
            let runtime = NativeRuntime(recorder: recorder, options: options)
            runtime.run {
                let lab = Lab(runtime: runtime)
                let started = lab.atomic()
                _ = try lab.thread("spinner") {
                    _ = try lab.perform(.store, started, 1)
                    defer { exit(1) }
                    while true { _ = try lab.perform(.load, started) }
                }
                try lab.eventually { (try? lab.perform(.load, started)) == 1 }
            }
            exit(1)
        }
        var document = Recordings.document()
        try RecordingReader(file: path).drain(into: &document, final: true)
        let end = document.lines.filter { !$0.contains("atomic.load") }.suffix(3)
        #expect(end == ["main run.exit", "spinner thread.cut-off", "main run.complete"])
        #expect(document.events.filter { $0.thread == ThreadID(1) }.last?.kind == .threadCutOff)
    }

    @Test func `a failed run exits though its main thread waits for a mutex of a thread that has ended`() async {
        await #expect(processExitsWith: .exitCode(3)) {
            var options = NativeRuntime.Options()
            options.exit = { _exit(3) }
            let runtime = NativeRuntime(recorder: Recorder(memory: try RecordingMemory()), options: options)
            runtime.run {
                let lab = Lab(runtime: runtime)
                let (mutex, condition) = (lab.mutex(), lab.condition())
                _ = try lab.thread("keeper") {
                    while lab.waiterCount(condition) == 0 { _ = try lab.perform(.yield) }
                    try lab.lock(mutex)
                    _ = try lab.thread("failing") {
                        // A keeper that has not left when the run ends would release the mutex.
                        while lab.runtime.registry.thread(1)?.hasLeft.load(ordering: .acquiring) != true {
                            _ = try lab.perform(.yield)
                        }
                        throw AssertionFailed("two is not one", at: .unknown)
                    }
                }
                try lab.lock(mutex)
                try lab.wait(condition, mutex)
            }
        }
    }
}
