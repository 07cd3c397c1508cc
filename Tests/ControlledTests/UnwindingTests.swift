import Execution
import Exploration
import Machine
import Primitives
import Testing
import Trace

/// The threads of an execution after its end.
@Suite struct UnwindingTests {
    @Test func `every thread unwinds through its own code`() {
        let unwound = Plain<[String]>([])
        let result = Recorded {
            defer { unwound.value.append("main") }
            let mutex = Mutex()
            try mutex.lock()
            let thread = try Thread {
                defer { unwound.value.append("thread") }
                do { try mutex.lock() } catch {
                    #expect(error is RunEnded)
                    throw error
                }
            }
            try thread.join()
        }
        #expect(result.verdict == .deadlock)
        #expect(unwound.value.sorted() == ["main", "thread"])
    }

    @Test func `cleanup may release what is held, and may not block`() {
        let seen = Plain<[String]>([])
        let result = Recorded {
            let mutex = Mutex()
            let semaphore = try Semaphore(value: 0)
            let condition = Condition()
            let lock = ReadWriteLock()
            try mutex.lock()
            try lock.lockToRead()
            defer {
                do {
                    try condition.broadcast()
                    try condition.signal()
                    try semaphore.signal()
                    try lock.unlock()
                    try mutex.unlock()
                    seen.value.append("released")
                    try mutex.lock()
                } catch { seen.value.append("\(type(of: error))") }
            }
            try semaphore.wait()
        }
        #expect(result.verdict == .deadlock)
        #expect(seen.value == ["released", "RunEnded"])
    }

    @Test(arguments: [false, true])
    func `code that swallows the end is left behind, and the end says so`(_ isMain: Bool) {
        let result = Recorded {
            let semaphore = try Semaphore(value: 0)
            let swallow: @Sendable () throws -> Void = { while true { try? semaphore.wait() } }
            let thread = try Thread("other") { if !isMain { try swallow() } }
            if isMain { try swallow() }
            try thread.join()
        }
        #expect(result.verdict == .deadlock)
        #expect(result.texts(.note).count == 1)
        #expect(result.texts(.note).first?.contains("RunEnded") == true)
        #expect(result.document.events.last?.thread.index == (isMain ? 0 : 1))
    }

    @Test(arguments: [false, true])
    func `a loop that only releases ends too`(_ isMain: Bool) {
        let result = Recorded(rules: .init(maximumSteps: 500)) {
            let condition = Condition()
            let loop: @Sendable () throws -> Void = { while true { try condition.signal() } }
            if isMain { try loop() }
            let thread = try Thread { try loop() }
            try thread.join()
        }
        #expect(result.verdict == .stepLimit)
        #expect(result.texts(.note).isEmpty, "it let RunEnded pass")
    }

    @Test func `a runtime is usable after threads were left behind`() {
        let runtime = ControlledRuntime(chooser: RandomWalk(seed: 1))
        for _ in 0..<20 {
            let verdict = runtime.run {
                let semaphore = try Semaphore(value: 0)
                let thread = try Thread { while true { try? semaphore.wait() } }
                try thread.join()
            }
            #expect(verdict == .deadlock)
            #expect(runtime.run { try Thread {}.join() } == .completed)
        }
    }

    @Test func `nothing is recorded after the end`() {
        let result = Recorded {
            let semaphore = try Semaphore("never", value: 0)
            defer {
                note("unwinding")
                try? semaphore.signal()
                ThreadDictionary.current.set("key", 1)
            }
            try semaphore.wait()
        }
        #expect(result.verdict == .deadlock)
        #expect(result.kinds == [.semaphoreWait])
    }

    @Test func `the first failure is the verdict`() {
        let result = Recorded {
            let gate = try Semaphore(value: 0)
            let thread = try Thread {
                do { try gate.wait() } catch { throw Failure() }
            }
            try check(false, "first")
            try thread.join()
        }
        #expect(result.verdict == .assertion)
        #expect(!result.kinds.contains(.threadError))
    }

    @Test func `an error in a thread stops the others where they are`() {
        let wentOn = Plain(false)
        let result = Recorded {
            let thread = try Thread { throw Failure() }
            try thread.join()
            wentOn.value = true
        }
        #expect(result.verdict == .error)
        #expect(!wentOn.value)
    }

    @Test func `the others may deadlock after the main thread has ended`() {
        let result = Recorded {
            let semaphore = try Semaphore(value: 0)
            try Thread.detach { try semaphore.wait() }
            try Thread.exit()
        }
        #expect(result.verdict == .deadlock)
    }

    @Test func `an error past a held lock is the finding, also when cleanup unlocks another`() {
        let result = Recorded {
            let outer = Mutex("outer")
            try outer.withLock {
                let inner = Mutex("inner")
                try inner.lock()
                try check(false, "the reason")
            }
        }
        #expect(result.verdict == .assertion)
        #expect(!result.kinds.contains(.misuse))
    }

    @Test func `a held lock that is let go of is the finding when the thread continues`() {
        let result = Recorded {
            func forget() throws { try Mutex("forgotten").lock() }
            try forget()
            try Thread.yield()
        }
        #expect(result.verdict == .misuse)
        let misuse = result.document.events.last { $0.kind == .misuse }
        #expect(misuse.flatMap { result.document.object($0.object)?.name } == "forgotten")
    }

    @Test func `a held lock that a thread's body takes with it is found`() {
        let result = Recorded {
            func start() throws -> Thread {
                let mutex = Mutex("taken along")
                return try Thread { try mutex.lock() }
            }
            try start().join()
        }
        #expect(result.verdict == .misuse)
    }
}
