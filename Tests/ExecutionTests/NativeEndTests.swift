import CLab
import Glibc
import Machine
import Support
import Synchronization
import Testing
import Trace

@testable import Execution

@Suite struct NativeEndTests {
    enum Blocking: CaseIterable {
        case mutex, ownMutex, condition, timedCondition, heldOnReturn, semaphore, timedSemaphore, reading, writing
        case sleeping, joining, spinning
    }

    @Test(arguments: Blocking.allCases)
    func `a thread that is blocked leaves when the run ends`(blocking: Blocking) throws {
        let leaves = Atomic(0)
        let report = try runNatively { lab in
            let (mutex, condition, lock) = (lab.mutex("m"), lab.condition("c"), lab.lock())
            let far = lab.runtime.now + 3_600_000_000_000
            if blocking == .mutex { try lab.lock(mutex) }
            _ = try lab.perform(.writeLock, lock)
            let hanging = try lab.thread("hanging") { try lab.hang() }
            let started = lab.atomic()
            _ = try lab.thread("blocked") {
                defer { leaves.add(1, ordering: .relaxed) }
                _ = try lab.perform(.store, started, 1)
                switch blocking {
                case .mutex: try lab.lock(mutex)
                case .ownMutex: for _ in 0..<2 { try lab.lock(mutex) }
                case .condition, .heldOnReturn:
                    try lab.lock(mutex)
                    try lab.wait(condition, mutex)
                case .timedCondition:
                    try lab.lock(mutex)
                    try lab.wait(condition, mutex, until: far)
                case .semaphore: try lab.hang()
                case .timedSemaphore: _ = try lab.perform(.semaphoreWaitUntil, lab.semaphore(), 0, far)
                case .reading: _ = try lab.perform(.readLock, lock)
                case .writing: _ = try lab.perform(.writeLockUntil, lock, 0, far)
                case .sleeping: _ = try lab.perform(.sleepUntil, .none, 0, far)
                case .joining: try lab.join(hanging)
                case .spinning: while true { _ = try lab.perform(.yield) }
                }
                Issue.record("came through")
            }
            try lab.eventually { (try? lab.perform(.load, started)) == 1 }
            if blocking == .heldOnReturn { try lab.lock(mutex) }
        }
        #expect(leaves.load(ordering: .relaxed) == 1)
        #expect(report.result == NativeResult(isComplete: true, unresponsive: []))
        #expect(report.count(.threadCutOff) == 2)
        #expect(report.lines.last == "main run.complete")
    }

    /// An error whose text takes until the main thread's body is over, and then a while.
    private struct LongError: Error, CustomStringConvertible {
        let runtime: NativeRuntime

        var description: String {
            while !runtime.ending.isMainOver.load(ordering: .acquiring) { sched_yield() }
            for _ in 0..<10_000 where !runtime.hasEnded { sched_yield() }
            return "it was long"
        }
    }

    @Test func `a failure is recorded although the main thread returns meanwhile`() throws {
        let report = try runNatively { lab in
            _ = try lab.thread("checker", detached: true) { throw LongError(runtime: lab.runtime) }
            while !lab.runtime.ending.isDecided.load(ordering: .acquiring) { sched_yield() }
        }
        #expect(report.lines.contains { $0.contains("thread.error") })
        #expect(report.result.isComplete == false)
    }

    @Test func `the main thread leaves too when another ends the run`() throws {
        let report = try runNatively { lab in
            _ = try lab.thread("checker") { throw AssertionFailed("two is not one", at: .unknown) }
            try lab.hang()
            Issue.record("came through")
        }
        // What main did at the same moment may come after it.
        #expect(report.lines.contains("checker assertion.failed two is not one"))
        #expect(!report.result.isComplete)
    }

    @Test func `a deadlock of two can be ended from outside`() throws {
        let recorder = Recorder(memory: try RecordingMemory(size: 8 << 20))
        let runtime = NativeRuntime(recorder: recorder)
        let watch = Watch(every: 1_000_000) { [unowned runtime] in
            // Both report that they wait for a mutex, and all threads sleep.
            var document = Recordings.document()
            guard let reader = try? RecordingReader(attachingTo: recorder.memory) else { return false }
            reader.drain(into: &document, final: true)
            let waiting = document.events.count { $0.kind == .mutexWait }
            guard waiting == 2, KernelSleep.areAllAsleep(reader.kernelThreads) else { return true }
            runtime.requestEnd(.runTimeout, 1)
            return false
        }
        let result = runtime.result {
            let lab = Lab(runtime: runtime)
            let (a, b, met) = (lab.mutex("a"), lab.mutex("b"), lab.atomic())
            let body: @Sendable (RuntimeObject, RuntimeObject) throws -> Void = { mine, other in
                try lab.lock(mine)
                defer { _ = try? lab.unlock(mine) }
                _ = try lab.perform(.add, met, 1)
                try lab.eventually { (try? lab.perform(.load, met)) == 2 }
                try lab.lock(other)
                Issue.record("came through")
            }
            let threads = [try lab.thread("one") { try body(a, b) }, try lab.thread("two") { try body(b, a) }]
            for thread in threads { try lab.join(thread) }
        }
        watch.stop()
        #expect(result == NativeResult(isComplete: false, unresponsive: []))
    }

    @Test func `a thread that ignores the end is named`() throws {
        let go = Atomic(false)
        let left = Atomic(false)
        var options = NativeRuntime.Options()
        options.grace = 1_000_000
        let report = try runNatively(options) { lab in
            let started = Atomic(false)
            _ = try lab.thread("stubborn") {
                started.store(true, ordering: .releasing)
                while !go.load(ordering: .acquiring) {}
                left.store(true, ordering: .releasing)
            }
            try lab.eventually { started.load(ordering: .acquiring) }
        }
        #expect(report.result.unresponsive == [ThreadID(1)])
        go.store(true, ordering: .releasing)
        while !left.load(ordering: .acquiring) {}
    }

    @Test
    func `a waiter whose mutex is held by a thread that has ended does not delay the end`() throws {
        var options = NativeRuntime.Options()
        // Longer than the time limit: the test fails if the run's end waits for the waiter.
        options.grace = 600_000_000_000
        let report = try runNatively(options) { lab in
            let (mutex, condition) = (lab.mutex(), lab.condition())
            _ = try lab.thread("waiter") {
                try lab.lock(mutex)
                try lab.wait(condition, mutex)
                Issue.record("came through")
            }
            // Takes the mutex while the other waits, and ends with it.
            let keeper = try lab.thread("keeper") {
                while lab.waiterCount(condition) == 0 { _ = try lab.perform(.yield) }
                try lab.lock(mutex)
            }
            try lab.join(keeper)
        }
        #expect(report.result == NativeResult(isComplete: true, unresponsive: [ThreadID(1)]))
    }

    @Test func `after the end everything throws, but what gives up works in silence`() throws {
        let report = try runNatively { lab in
            let (mutex, condition, semaphore, lock) = (lab.mutex(), lab.condition(), lab.semaphore(), lab.lock())
            try lab.lock(mutex)
            _ = try lab.perform(.readLock, lock)
            lab.runtime.requestEnd(.runTimeout, 5)
            let ended = "\(RunEnded())"
            #expect(lab.misuse { try lab.lock(lab.mutex()) } == ended)
            #expect(lab.misuse { try lab.perform(.yield) } == ended)
            #expect(lab.misuse { try lab.wait(condition, mutex) } == ended)
            #expect(throws: RunEnded.self) { _ = try lab.thread {} }
            for _ in 0..<2 { #expect(lab.misuse { try lab.unlock(mutex) } == nil) }
            for _ in 0..<2 { #expect(lab.misuse { try lab.perform(.unlockShared, lock) } == nil) }
            #expect(lab.misuse { try lab.perform(.broadcast, condition) } == nil)
            #expect(lab.misuse { try lab.post(semaphore) } == nil)
        }
        #expect(report.lines.suffix(1) == ["main run.timeout 5"])
    }

    @Test func `an error that leaves a thread ends the run`() throws {
        struct Odd: Error, CustomStringConvertible { let description = "odd" }
        let report = try runNatively { lab in
            _ = try lab.thread("t") { throw Odd() }
            try lab.hang()
        }
        #expect(report.lines.contains("t thread.error odd"))
    }
}
