import Authoring
import Support
import Testing
import ThreadLabTesting
import ThreadLabTypes

/// Case T20: a thread that the lab has not started uses an object of a run. The lab cannot hold it back, so it is refused.
@Suite struct ForeignThreadTests {
    /// Main waits for the other thread as the system does: the lab does not see it.
    static func additions() throws {
        let mutex = Mutex("mutex")
        let count = Shared("count", 0)
        let other = ForeignThread { try? mutex.withLock { try count.update { $0 + 1 } } }
        try mutex.withLock { try count.update { $0 + 1 } }
        other.join()
        try mutex.withLock {}
    }

    /// The same for the system's types, whose functions do not throw.
    static func systemAdditions() throws {
        let lock = Lab.NSLock()
        let other = ForeignThread {
            lock.lock()
            lock.unlock()
            _ = lock.try()
        }
        lock.lock()
        lock.unlock()
        other.join()
        lock.withLock {}
    }

    static let programs: [@Sendable () throws -> Void] = [additions, systemAdditions]

    private func expectRefusal(_ text: String) {
        #expect(text.contains("does not belong to"))
        #expect(text.contains("ForeignThreadTests.swift"))
        #expect(text.contains("Lab.DispatchQueue"))
        #expect(!text.contains("the same every time"))
        #expect(!text.contains("crash"))
    }

    @Test(arguments: programs.indices)
    func `a foreign thread under 'explore' fails the test, which says who did what, and what to use instead`(
        _ program: Int
    ) {
        expectRefusal(issueText { try explore { try Self.programs[program]() } })
        expectRefusal(issueText { try explore(.exhaustive) { try Self.programs[program]() } })
    }

    @Test func `a foreign thread under 'explore' is no proof`() {
        var isProof = true
        _ = issueText { isProof = try explore { try Self.additions() }.triedEveryOrder }
        #expect(!isProof)
    }

    @Test func `a foreign thread under 'explore', isolated, fails the test in the same words`() {
        expectRefusal(issueText { try explore(.isolated, time: .seconds(600)) { try Self.additions() } })
    }

    @Test(arguments: programs.indices) func `a foreign thread under 'replay' fails the test`(_ program: Int) {
        expectRefusal(issueText { try replay("0x2") { try Self.programs[program]() } })
    }

    @Test(arguments: programs.indices) func `a foreign thread on real threads fails the test`(_ program: Int) {
        expectRefusal(issueText { try run { try Self.programs[program]() } })
    }

    @Test func `a foreign thread that outlives its execution harms nothing`() throws {
        let late = Late()
        defer { late.end() }
        try explore {
            let lock = Lab.NSLock()
            let mutex = Mutex("mutex")
            late.thread {
                try? mutex.withLock {}
                lock.withLock {}
            }
        }
    }

    @Test func `a foreign thread may use objects that belong to no run`() throws {
        let mutex = Mutex()
        let other = ForeignThread { try? mutex.withLock {} }
        other.join()
        try mutex.withLock {}
    }
}

/// Threads that begin when a search is over.
private final class Late: @unchecked Sendable {
    private var bodies: [@Sendable () -> Void] = []

    func thread(_ body: @escaping @Sendable () -> Void) { bodies.append(body) }

    func end() {
        let threads = bodies.map { ForeignThread($0) }
        for thread in threads { thread.join() }
    }
}
