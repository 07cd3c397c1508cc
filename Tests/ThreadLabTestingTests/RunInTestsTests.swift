import Authoring
import Testing
import ThreadLabTesting

@Suite struct RunInTestsTests {
    @Test func `a run on real threads that completes says nothing`() throws {
        try run {
            let count = Atomic("count", 0)
            let threads = try (1...4).map { _ in try Thread { for _ in 1...100 { try count.add(1) } } }
            for thread in threads { try thread.join() }
            try check(try count.load() == 400)
        }
    }

    @Test func `a deadlock of real threads is found, explained and ended`() {
        let text = issueText {
            try run {
                let a = Mutex("a")
                let b = Mutex("b")
                let both = try Barrier("both", parties: 2)
                let other = try Thread("other") {
                    try b.withLock {
                        _ = try both.wait()
                        try a.withLock {}
                    }
                }
                try a.withLock {
                    _ = try both.wait()
                    try b.withLock {}
                }
                try other.join()
            }
        }
        #expect(text.hasPrefix("deadlock: "))
    }

    @Test func `a failed check is reported with its text`() {
        #expect(issueText { try run { try check(1 > 2, "one is less than two") } }.contains("one is less than two"))
    }

    @Test func `a run takes no longer than its limit`() throws {
        try run(timeout: .milliseconds(200), expecting: .timeout) { while true { try Thread.yield() } }
    }

    /// A helper that had signaled that it was done still held the block, now and then, when the call had returned.
    @Test func `the block of iterations ends with their call`() throws {
        try run {
            for _ in 1...300 {
                let calls = Atomic("calls", 0)
                Lab.DispatchQueue.concurrentPerform(iterations: 4) { _ in _ = must { try calls.add(1) } }
                try check(try calls.load() == 4)
            }
        }
    }

    private func must<Result>(_ body: () throws -> Result) -> Result {
        do { return try body() } catch { fatalError("\(error)") }
    }
}
