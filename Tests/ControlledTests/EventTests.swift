import Execution
import Exploration
import Machine
import Primitives
import Testing
import Trace

/// What is recorded, and in what order, where mistakes are likely.
@Suite struct EventTests {
    @Test func `what destructors do comes before the thread's exit`() throws {
        let result = Recorded {
            let cell = Shared("cell", 0)
            let slot = try ThreadSlot<Plain<Int>> { value in try? cell.write(value.value) }
            let thread = try Thread { slot.value = Plain(7) }
            try thread.join()
            try check(cell.read() == 7, "the destructor has run")
        }
        #expect(result.verdict == .completed)
        let ofThread = result.document.events.filter { $0.thread.index == 1 }.map(\.kind)
        #expect(ofThread == [.threadStart, .slotSet, .slotDestroy, .cellWrite, .threadExit])
    }

    @Test func `what a slot does has its name, and the line where it was set`() throws {
        let result = Recorded {
            let slot = try ThreadSlot<Plain<Int>>("count") { _ in }
            try Thread { slot.set(Plain(7), file: "Lab/Test.swift", line: 3) }.join()
        }
        let events = result.document.events.filter { [.slotSet, .slotDestroy].contains($0.kind) }
        #expect(events.map { result.document.object($0.object)?.name } == ["count", "count"])
        #expect(result.document.site(events[0].site) == .init(file: "Lab/Test.swift", line: 3))
    }

    @Test func `the slot of a robust mutex is not shown`() throws {
        let result = Recorded {
            let mutex = Mutex("m", .robust)
            try Thread { try mutex.lock() }.join()
        }
        #expect(result.kinds.contains(.mutexAcquire))
        #expect(!result.kinds.contains(.slotSet) && !result.kinds.contains(.slotDestroy))
    }

    @Test func `a queue says what happens in it`() throws {
        let result = Recorded {
            let queue = try BoundedQueue<Int>("line", capacity: 1)
            try queue.put(7)
            try queue.close()
            try check(queue.take() == 7 && queue.take() == nil, "closed")
        }
        let remarks = result.document.events.filter { $0.kind == .remark }
        #expect(remarks.map(result.document.name) == ["queue.put", "queue.close", "queue.take"])
    }

    @Test func `destructors do not run once the run has ended`() {
        let runs = Plain(0)
        let result = Recorded {
            let slot = try ThreadSlot<Plain<Int>> { _ in runs.value += 1 }
            let never = try Semaphore(value: 0)
            let thread = try Thread {
                slot.value = Plain(1)
                try never.wait()
            }
            try thread.join()
        }
        #expect(result.verdict == .deadlock)
        #expect(runs.value == 0)
    }

    @Test func `the end of a wait by its limit is recorded when the thread has its mutex again`() {
        let result = Recorded {
            let mutex = Mutex("m")
            let condition = Condition("c")
            let thread = try Thread {
                try mutex.withLock { _ = try condition.wait(with: mutex, until: .now + .milliseconds(1)) }
            }
            // The main thread goes first: it must let the other reach its wait.
            try Thread.sleep(for: .zero + .microseconds(1))
            try mutex.lock()
            try Thread.sleep(for: .milliseconds(5))
            try mutex.unlock()
            try thread.join()
        }
        #expect(result.verdict == .completed)
        let ofThread = result.document.events.filter { $0.thread.index == 1 && $0.kind != .threadDeadline }
        #expect(
            ofThread.map(\.kind) == [
                .threadStart, .mutexAcquire, .conditionWait, .mutexWait, .conditionTimeout, .mutexRelease, .threadExit,
            ])
        #expect(ofThread.first { $0.kind == .mutexWait }?.time == 1_000_000)
        #expect(ofThread.first { $0.kind == .conditionTimeout }?.time == 5_001_000)
    }

    @Test func `a writer that waits is recorded once`() {
        for preference in [ReadWriteLock.Preference.readers, .writers] {
            let result = Recorded {
                let lock = ReadWriteLock("l", prefer: preference)
                try lock.lockToRead()
                let thread = try Thread { try lock.withWriteLock {} }
                try Thread.sleep(for: .milliseconds(1))
                try lock.unlock()
                try thread.join()
            }
            #expect(result.verdict == .completed)
            let ofThread = result.document.events.filter { $0.thread.index == 1 }.map(\.kind)
            #expect(ofThread == [.threadStart, .writeWait, .writeAcquire, .writeRelease, .threadExit])
        }
    }

    @Test func `every name is unique`() {
        let result = Recorded {
            let threads = try (0..<3).map { _ in try Thread("worker") {} }
            for thread in threads { try thread.join() }
            try check(threads.map(\.name) == ["worker", "worker 2", "worker 3"], "\(threads.map(\.name))")
            try check(Thread.current.name == "main", Thread.current.name)
        }
        #expect(result.verdict == .completed)
        #expect(result.document.threads.map(\.name) == ["main", "worker", "worker 2", "worker 3"])
    }

    @Test func `a thread that the process ends is cut off`() {
        let result = Recorded {
            let never = try Semaphore(value: 0)
            try Thread.detach { try never.wait() }
        }
        #expect(result.verdict == .completed)
        #expect(result.kinds.suffix(3) == [.runExit, .threadCutOff, .runComplete])
    }

    @Test func `the step limit ends a run that has no end`() {
        let result = Recorded(rules: .init(maximumSteps: 50)) {
            let flag = Atomic("flag", false)
            while try !flag.load() {}
        }
        #expect(result.verdict == .stepLimit)
        #expect(result.kinds.last == .runStepLimit)
    }
}

/// The limits of a run.
@Suite struct LimitTests {
    @Test func `a thread beyond the limit is refused, and the run continues`() {
        let result = Recorded {
            var threads: [Thread] = []
            do {
                while true { threads.append(try Thread {}) }
            } catch let refusal as ThreadCreationFailed {
                try check(refusal.code == 11 && threads.count == MachineState.maximumThreads - 1, "\(threads.count)")
            }
            for thread in threads { try thread.join() }
        }
        #expect(result.verdict == .completed)
    }

    @Test func `the time between any two moments can be computed`() {
        _ = Recorded {
            #expect(Instant.distantFuture - Instant.distantPast > .seconds(9_000_000_000))
            #expect(Instant.distantPast - Instant.distantFuture < .zero)
            #expect(Instant.now + .seconds(Int64.max) == .distantFuture)
            #expect(Instant.now + .seconds(Int64.min) <= .distantPast)
        }
    }
}
