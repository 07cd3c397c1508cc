import Support
import Testing
import Trace

@testable import Diagnosis

@Suite struct AccountTests {
    /// The account of the finding that decides the outcome: each step's line, with a `!` if it shows the finding.
    private func account(_ script: String) throws -> String {
        let trace = Script(script, runtime: .controlled).trace
        let findings = Examination.findings(in: trace)
        let finding = try #require(Finding.deciding(OutcomeJudge.outcome(of: trace), among: findings))
        return Account(of: finding, in: trace).steps.map { step in
            "\(step.role == .fault ? "!" : "")\(trace.site(trace.events[step.event].site)?.line ?? 0)"
        }.joined(separator: " ")
    }

    @Test func `a lost update is told by both reads and both writes`() throws {
        #expect(
            try account(
                """
                main thread.create a :1
                main thread.create b :2
                a cell.read x 0 :3
                a mutex.acquire m :4
                b mutex.release n :5
                b cell.read x 0 :6
                b cell.write x 1 :7
                a cell.write x 1 :8
                a thread.exit :9
                b thread.exit :10
                main thread.join a :11
                main thread.join b :12
                main cell.read x 1 :13
                main assertion.failed "x == 2" :13
                """) == "3 6 7 8 13 !13")
    }

    @Test func `a race is told by its accesses, and by the atomic that does not order them`() throws {
        #expect(
            try account(
                """
                main thread.create a :1
                main thread.create b :2
                a cell.write y 1 :3
                a cell.write x 1 :4
                a atomic.store flag 1 relaxed :5
                b atomic.load flag 1 relaxed :6
                b cell.read x 1 :7
                run run.complete
                """.replacing("run run", with: "main run")) == "!4 5 6 !7")
    }

    @Test func `a deadlock is told by the waits and by how the locks were taken, without those who only wait behind`()
        throws
    {
        #expect(
            try account(
                """
                main thread.create a :1
                main thread.create b :2
                main thread.join-wait a :3
                a mutex.acquire m :4
                a cell.write x 1 :5
                b mutex.acquire n :6
                a mutex.wait n :7
                b mutex.wait m :8
                """) == "!4 !6 !7 !8")
    }

    @Test func `a signal that came too early is told with the test that it outran`() throws {
        #expect(
            try account(
                """
                main thread.create a :1
                main thread.create b :2
                a mutex.acquire m :3
                a atomic.load ready 0 :4
                b atomic.store ready 1 :5
                b condition.signal c :6
                b thread.exit :7
                a condition.wait c m :8
                main thread.join-wait a :9
                """) == "!4 !5 !6 !8")
    }

    @Test func `a thread that ended with the lock is told with its end`() throws {
        #expect(
            try account(
                """
                main thread.create a :1
                a mutex.acquire m :2
                a thread.exit :3
                main mutex.wait m :4
                """) == "!2 !3 !4")
    }

    @Test func `a wake-up that was taken for a promise is told with what changed meanwhile`() throws {
        #expect(
            try account(
                """
                main thread.create a :1
                main thread.create b :2
                a mutex.acquire m :3
                a cell.read full 0 :4
                a condition.wait c m :5
                main mutex.acquire m :6
                main cell.write full 1 :7
                main condition.signal c :8
                main mutex.release m :9
                b mutex.acquire m :10
                b cell.read full 1 :11
                b cell.write full 0 :12
                b mutex.release m :13
                a condition.wake c m :14
                a thread.error "empty" :15
                main thread.exit :16
                """
            ).contains("12 14 !15"))
    }

    @Test func `who wrote what the failing line read is told, however long ago`() throws {
        let steps = (0..<50).map { "b cell.write y \($0) :20" }.joined(separator: "\n")
        #expect(
            try account(
                """
                main thread.create a :1
                main thread.create b :2
                b cell.write pointer 0 :3
                \(steps)
                b thread.exit :5
                a cell.read pointer 0 :6
                a thread.fault "used a null pointer" :6
                """) == "3 6 !6")
    }

    @Test func `a trace that lacks the beginning of a release is not told by its first event`() throws {
        #expect(
            try account(
                """
                main thread.create a :1
                main thread.create b :2
                a cell.write x 1 :3
                b cell.free-rest x "block" :4
                main run.complete
                """) == "!3")
    }

    @Test func `an account has ten steps at most, and only those that reports show`() throws {
        let steps = (0..<40).map { "a cell.read x\($0) 1 :\($0)\nb cell.write x\($0) 2 :\($0)" }
        let all = try account(
            "main thread.create a\nmain thread.create b\n" + steps.joined(separator: "\n")
                + "\na assertion.failed \"no\" :99")
        #expect(all.split(separator: " ").count <= Account.mostSteps && all.hasSuffix("!99"))
    }
}
