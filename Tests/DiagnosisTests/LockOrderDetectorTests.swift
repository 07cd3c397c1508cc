import Diagnosis
import Testing

@Suite struct LockOrderDetectorTests {
    /// One after the other, so that nothing happens.
    static let oppositeOrders = """
        main   thread.create first
        main   thread.create second
        first  mutex.acquire a :3
        first  mutex.acquire b :4
        first  mutex.release b
        first  mutex.release a
        second mutex.acquire b :7
        second mutex.acquire a :8
        second mutex.release a
        second mutex.release b
        first  thread.exit
        second thread.exit
        main   thread.join first
        main   thread.join second
        """

    @Test func `the detector reports two orders of the same two locks, although all went well`() throws {
        let finding = try #require(LockOrderDetector().findings(in: Self.oppositeOrders).first)
        #expect(finding.code == .lockOrder)
        #expect(
            finding.summary
                == "first and second take a and b in opposite orders: "
                + "no harm this time, but they may wait for each other forever.")
        #expect(
            finding.story == [
                "first holds a (taken at Test.swift:3) and takes b at Test.swift:4.",
                "second holds b (taken at Test.swift:7) and takes a at Test.swift:8.",
            ])
        #expect(finding.sites.count == 4)
    }

    @Test(
        arguments: [
            // Three threads
            hold("s", "a", "b") + hold("t", "b", "c") + hold("u", "c", "a"),
            // With another lock in between
            hold("s", "a", "x", "b") + hold("t", "b", "y", "a"),
            // A reader and writers
            "s rwlock.read-acquire a\ns mutex.acquire b\ns mutex.release b\ns rwlock.read-release a\n"
                + "t mutex.acquire b\nt rwlock.write-acquire a",
            // The lock that a wait reacquires
            "s mutex.acquire m\ns mutex.acquire a\ns condition.wait c m\nt mutex.acquire m\nt condition.signal c\n"
                + "t mutex.release m\ns condition.wake c m\ns mutex.release m\ns mutex.release a\n"
                + "t mutex.acquire m\nt mutex.acquire a",
            // A gate that both only read
            "s rwlock.read-acquire g\n" + hold("s", "a", "b") + "s rwlock.read-release g\nt rwlock.read-acquire g\n"
                + hold("t", "b", "a"),
            // A semaphore with permits for both
            "s semaphore.acquire p\nt semaphore.acquire p\n" + hold("s", "a", "b") + hold("t", "b", "a"),
        ])
    func `the detector finds every kind of cycle`(script: String) {
        #expect(LockOrderDetector().findings(in: script).count == 1)
    }

    @Test(
        arguments: [
            hold("s", "a", "b") + hold("t", "a", "b"),
            // One thread
            hold("s", "a", "b") + hold("s", "b", "a"),
            // A gate
            hold("s", "g", "a", "b") + hold("t", "g", "b", "a"),
            // Two cycles of one thread each, and none of two
            hold("s", "a", "b", "c") + hold("s", "b", "a"),
            // One after the other
            "main mutex.acquire a\nmain mutex.acquire b\nmain mutex.release b\nmain mutex.release a\n"
                + "main thread.create t\n" + hold("t", "b", "a"),
            hold("t", "b", "a") + "t thread.exit\nmain thread.join t\nmain mutex.acquire a\nmain mutex.acquire b",
            hold("s", "a", "b") + "s semaphore.signal done\nt semaphore.acquire done\n" + hold("t", "b", "a"),
            // A thread that only tries continues
            hold("s", "a", "b") + "t mutex.acquire b\nt thread.try\nt mutex.acquire a",
            // Readers keep out no readers
            "s rwlock.read-acquire a\ns rwlock.read-acquire b\ns rwlock.read-release b\ns rwlock.read-release a\n"
                + "t rwlock.read-acquire b\nt rwlock.read-acquire a",
            // A recursive mutex, taken again
            "s mutex.acquire a\ns mutex.acquire b\ns mutex.acquire a\nt mutex.acquire a",
            // One seat
            "s semaphore.acquire p\n" + hold("s", "a", "b") + "s semaphore.signal p\nt semaphore.acquire p\n"
                + hold("t", "b", "a"),
            // As many seats as one too few
            "s semaphore.acquire p\nt semaphore.acquire p\n" + hold("s", "a", "b") + hold("t", "b", "c")
                + "s semaphore.signal p\nu semaphore.acquire p\n" + hold("u", "c", "a"),
        ])
    func `the detector is silent where no cycle can close`(script: String) {
        #expect(LockOrderDetector().findings(in: script).isEmpty)
    }

    @Test func `the detector finds the cycle of as many locks as threads, once`() {
        let count = 32
        let script = (0..<count).map { hold("t\($0)", "m\($0)", "m\(($0 + 1) % count)") }.joined()
        #expect(LockOrderDetector().findings(in: script).map(\.threads.count) == [count])
    }

    @Test func `the detector gives up a search that would take too long`() {
        let locks = (0..<12).map { "m\($0)" }
        let pairs = locks.flatMap { one in locks.filter { $0 != one }.map { (one, $0) } }
        let script = pairs.enumerated().map { hold("t\($0)", $1.0, $1.1) }.joined()
        #expect((1...10).contains(LockOrderDetector().findings(in: script).count))
    }
}

/// A thread takes these locks, one in the other, and releases them.
private func hold(_ thread: String, _ locks: String...) -> String {
    let taking = locks.map { "\(thread) mutex.acquire \($0)\n" }
    let giving = locks.reversed().map { "\(thread) mutex.release \($0)\n" }
    return (taking + giving).joined()
}
