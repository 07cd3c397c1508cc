import Diagnosis
import Support
import Testing
import Trace

/// The one line that annotations and other formats with room for one mark.
@Suite struct FaultTests {
    /// The line of the first finding with this code.
    private func line(_ code: FindingCode, _ script: String) -> Int? {
        let trace = Script.trace(script)
        return Examination.findings(in: trace).first { $0.code == code }?.fault.flatMap(trace.site)?.line
    }

    @Test func `a deadlock's fault is the lock call that closes the cycle, not the wait of main`() {
        let script = """
            main   thread.join-wait first :1
            first  mutex.acquire a :10
            second mutex.acquire b :20
            second mutex.wait a :21
            first  mutex.wait b :11
            """
        #expect(line(.deadlock, script) == 11)
    }

    @Test func `a thread that waits for a stuck one is not at fault`() {
        let script = """
            main   thread.join-wait worker :1
            worker semaphore.wait places :10
            """
        #expect(line(.endlessWait, script) == 10)
    }

    @Test func `the fault of threads that wait for permits and locks is the wait that no lock ends`() {
        let script = """
            main     thread.join-wait consumer :1
            consumer mutex.wait m :10
            producer mutex.acquire m :20
            producer semaphore.wait places :21
            """
        #expect(line(.endlessWait, script) == 21)
    }

    @Test func `the fault of a lock that no thread releases is where it was taken`() {
        #expect(line(.endlessWait, "w mutex.acquire m :3\nw thread.exit\nmain mutex.wait m :8") == 3)
    }

    @Test func `a signal that came too early is the fault, not the wait that missed it`() {
        let script = """
            main     condition.signal changed :7
            main     thread.join-wait consumer :9
            consumer mutex.acquire m :20
            consumer condition.wait changed m :21
            """
        #expect(line(.endlessWait, script) == 7)
    }

    @Test func `a signal that woke another thread is the fault`() {
        let script = """
            main  thread.join-wait guest :1
            guest mutex.acquire m :10
            guest atomic.load open 0 :11
            guest condition.wait opened m :12
            other mutex.acquire m :10
            other atomic.load open 0 :11
            other condition.wait opened m :12
            host  mutex.acquire m :20
            host  atomic.store open 1 :21
            host  condition.signal opened :22
            host  mutex.release m :23
            host  thread.exit
            other condition.wake opened m :12
            other mutex.release m
            other thread.exit
            """
        #expect(line(.endlessWait, script) == 22)
    }

    @Test func `the fault is the wait where no signal came at all`() {
        let script = """
            main  thread.join-wait guest :1
            guest mutex.acquire m :10
            guest atomic.load open 0 :11
            guest condition.wait opened m :12
            host  mutex.acquire m :20
            host  mutex.release m :21
            host  thread.exit
            """
        #expect(line(.endlessWait, script) == 12)
    }

    @Test(
        arguments: [
            // The access without the lock that the other one holds
            ("first mutex.acquire m :9\nfirst cell.write x 1 :10\nsecond cell.read x 1 :20", 20),
            ("second cell.read x 0 :20\nfirst mutex.acquire m :9\nfirst cell.write x 1 :10", 20),
            // The write under a lock that is held for reading
            (
                "first rwlock.read-acquire t :1\nfirst cell.read x 0 :2\nfirst rwlock.read-release t :3\n"
                    + "second rwlock.read-acquire t :4\nsecond cell.write x 1 :5", 5
            ),
            // The order that is too weak
            (
                "first cell.write x 1 :1\nfirst atomic.store f 1 release :2\nsecond atomic.load f 1 relaxed :3\n"
                    + "second cell.read x 1 :4", 3
            ),
            // Neither holds a lock
            ("first cell.write x 1 :1\nsecond cell.write x 2 :2", 1),
        ])
    func `a race's fault is the access that is not as the others`(script: String, line: Int) {
        #expect(self.line(.race, script) == line)
    }
}
