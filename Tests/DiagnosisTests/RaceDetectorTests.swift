import Diagnosis
import Support
import Testing
import Trace

@Suite struct RaceDetectorTests {
    @Test(
        arguments: [
            "main thread.create w\nmain cell.write x 1\nw cell.write x 2",
            "main thread.create w\nmain cell.read x 1\nw cell.write x 2",
            "main thread.create w\nw cell.write x 2\nmain cell.read x 1",
            // Different locks
            "main mutex.acquire a\nmain cell.write x 1\nmain mutex.release a\n"
                + "w mutex.acquire b\nw cell.write x 2\nw mutex.release b",
            // The write comes after the release
            "main mutex.acquire a\nmain mutex.release a\nmain cell.write x 1\nw mutex.acquire a\nw cell.write x 2",
            // A signal does not order anything
            "main cell.write x 1\nmain condition.signal c\nw cell.read x 1",
            // Readers exclude no readers
            "main rwlock.read-acquire t\nmain cell.write x 1\nmain rwlock.read-release t\n"
                + "w rwlock.read-acquire t\nw cell.write x 2",
            // What is written after a downgrade is not protected from other readers
            "main rwlock.write-acquire t\nmain rwlock.downgrade t\nmain cell.write x 1\n"
                + "w rwlock.read-acquire t\nw cell.read x 1",
            // A detached thread's end does not order anything
            "main thread.create w\nw cell.write x 2\nw thread.exit\nmain cell.read x 2",
            // Freeing memory is like a write of all of it
            "main cell.read x 1\nw cell.free y \"block\"\nw cell.free-rest x \"block\"",
            "w cell.free x \"block\"\nmain atomic.update x 2",
            // An atomic store without a load
            "main cell.write x 1\nmain atomic.store f 1\nw atomic.store f 2\nw cell.read x 1",
        ])
    func `the detector finds two accesses that nothing orders`(script: String) {
        #expect(RaceDetector().findings(in: script).map(\.code) == [.race])
    }

    @Test(
        arguments: [
            "main cell.write x 1\nmain thread.create w\nw thread.start\nw cell.write x 2\nw thread.exit\n"
                + "main thread.join w\nmain cell.read x 2",
            "main mutex.acquire a\nmain cell.write x 1\nmain mutex.release a\n"
                + "w mutex.acquire a\nw cell.write x 2\nw mutex.release a",
            "main cell.write x 1\nmain semaphore.signal s\nw semaphore.acquire s\nw cell.write x 2",
            "main cell.write x 1\nmain atomic.store f 1\nw atomic.load f 1\nw cell.read x 1",
            "main cell.write x 1\nmain atomic.update f 1\nv atomic.update f 2\nw atomic.mismatch f 2\nw cell.read x 1",
            "w mutex.acquire m\nw cell.write x 1\nw condition.wait c m\nmain mutex.acquire m\nmain cell.write x 2\n"
                + "main condition.signal c\nmain mutex.release m\nw condition.wake c m\nw cell.read x 2",
            "main rwlock.read-acquire t\nmain cell.read x 0\nmain rwlock.read-release t\n"
                + "w rwlock.write-acquire t\nw cell.write x 2\nw rwlock.write-release t\n"
                + "v rwlock.read-acquire t\nv cell.read x 2",
            // A downgraded lock lets readers see what its writer wrote
            "main rwlock.write-acquire t\nmain cell.write x 1\nmain rwlock.downgrade t\n"
                + "w rwlock.read-acquire t\nw cell.read x 1\nmain cell.read x 1",
            "main cell.read x 1\nw cell.read x 1",
            "main cell.write x 1\nw cell.write y 1",
        ])
    func `the detector keeps silent where there is an order`(script: String) {
        #expect(RaceDetector().findings(in: script).isEmpty)
    }

    @Test func `the detector reports both accesses, their lines, and what was held`() {
        let finding = RaceDetector().findings(
            in:
                """
                first  mutex.acquire m :9
                first  cell.write counter 1 :10
                second cell.read counter 1 :20
                """
        ).first
        #expect(finding?.summary == "Data race: threads first and second access counter without synchronization.")
        #expect(
            finding?.story == [
                "first writes counter at Test.swift:10, holding m.",
                "second reads counter at Test.swift:20, holding no lock.",
                "They were 1 event and 1 µs apart here; in another run their order may be reversed.",
            ])
        #expect(finding?.advice == "A lock protects counter only if every thread that accesses counter takes it.")
    }

    @Test func `a thread that writes while it holds a lock for reading should hold it for writing`() {
        let script =
            "main rwlock.read-acquire t\nmain cell.write x 1\nmain rwlock.read-release t\n"
            + "w rwlock.read-acquire t\nw cell.write x 2"
        #expect(
            RaceDetector().findings(in: script).first?.advice
                == "Several threads may hold t for reading: a thread that writes x must hold it for writing.")
    }

    @Test(
        arguments: [
            ("first cell.write x 1\nsecond cell.read x 1", true), ("first cell.write x 1\nsecond cell.write x 2", true),
            ("first cell.read x 0\nsecond cell.read x 0\nfirst cell.write x 1\nsecond cell.write x 1", false),
        ])
    func `the detector advises an atomic only if no thread both reads and writes`(script: String, isAtomic: Bool) {
        let advice = RaceDetector().findings(in: script).first?.advice
        #expect(advice?.contains("make it atomic") == isAtomic)
        #expect(advice?.contains("rotect both accesses with the same mutex.") == true)
    }

    @Test func `the detector names the lock that most uses hold`() {
        let finding = RaceDetector().findings(
            in: """
                first  mutex.acquire m
                first  cell.write counter 1
                first  cell.read counter 1
                second cell.read counter 1
                first  cell.write counter 2
                """
        ).first
        #expect(finding?.story.last == "m is held at 3 of the 4 accesses to counter.")
    }

    @Test func `the detector reports only each cell's first race`() {
        let script = "main cell.write x 1\nw cell.write x 2\nv cell.write x 3\nmain cell.write y 1\nw cell.write y 2"
        #expect(RaceDetector().findings(in: script).count == 2)
    }
}
