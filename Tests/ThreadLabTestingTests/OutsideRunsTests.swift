import Authoring
import Testing

/// Primitives that a test uses directly, in no run.
@Suite struct OutsideRunsTests {
    @Test func `primitives are plain native ones`() throws {
        let mutex = Mutex()
        let full = Condition()
        let count = Shared("count", 0)
        let threads = try (1...8).map { _ in
            try Thread {
                for _ in 1...1000 { try mutex.withLock { try count.update { $0 + 1 } } }
                try mutex.withLock { try full.signal() }
            }
        }
        try mutex.withLock { while try count.read() < 8000 { try full.wait(with: mutex) } }
        for thread in threads { try thread.join() }
        #expect(try count.read() == 8000)
    }

    @Test func `threads that are gone leave room for others`() throws {
        for _ in 1...3000 { try Thread {}.join() }
    }

    @Test func `a misuse is thrown`() throws {
        let mutex = Mutex(nil, .errorChecking)
        #expect(throws: Misuse.self) { try mutex.unlock() }
    }

    @Test func `a thread's value reaches the thread that joins it`() throws {
        #expect(try Thread.returning { 7 }.join() == 7)
    }

    @Test func `each thread has a dictionary of its own`() throws {
        ThreadDictionary.current.set("key", 1)
        try Thread { ThreadDictionary.current.set("key", 2) }.join()
        #expect(ThreadDictionary.current.value("key") == 1)
    }

    @Test func `a run can follow, and then plain use again`() throws {
        let mutex = Mutex()
        try mutex.lock()
        let count = Atomic("count", 0)
        try count.add(1)
        try mutex.unlock()
        #expect(try count.load() == 1)
    }
}
