import Diagnosis
import Support
import Testing
import Trace

/// What is said of threads that free memory which others use.
@Suite struct ReleaseStoryTests {
    private func race(_ script: String) throws -> Finding {
        let findings = RaceDetector().findings(in: script, runtime: .controlled)
        #expect(findings.count == 1, "what is freed as a whole is one race")
        return try #require(findings.first)
    }

    @Test func `the text says who frees what while who uses it, and not to make it atomic`() throws {
        let finding = try race(
            """
            main thread.create w
            w cell.write x 1 :20
            w cell.write y 1 :21
            main cell.free x "block from a.c:3" :30
            main cell.free-rest y "block from a.c:3" :30
            """)
        #expect(finding.summary == "Data race: main frees block from a.c:3 while w writes x.")
        #expect(finding.story.first?.hasPrefix("w writes x at ") == true)
        #expect(finding.story[1].hasPrefix("main frees block from a.c:3 at "))
        #expect(finding.advice == "Free it after the last use: join w first, or count references.")
        #expect(finding.events == [2, 4])
    }

    @Test func `a race with a further part of freed memory points at the row of the release`() throws {
        let finding = try race(
            """
            main thread.create w
            w cell.write y 1 :21
            main cell.free x "block" :30
            main cell.free-rest y "block" :30
            """)
        #expect(finding.summary == "Data race: main frees block while w writes y.")
        #expect(finding.events == [2, 3])
    }

    @Test func `main cannot be joined`() throws {
        let finding = try race("main thread.create w\nmain cell.read x 1\nw cell.free x \"x\"")
        #expect(finding.summary == "Data race: w frees x while main reads it.")
        #expect(finding.advice == "Free it after the last use: let main free it, or count references.")
    }

    @Test func `two threads that free the same memory`() throws {
        let finding = try race("main thread.create w\nmain cell.free x \"b\"\nw cell.free x \"b\"")
        #expect(finding.summary == "Data race: main and w both free b.")
        #expect(finding.advice == "Free it once: let the last of the threads that use it do that.")
    }

    @Test func `a reference count that is decremented with release does not acquire`() throws {
        let finding = try race(
            """
            main thread.create w
            w atomic.update refs 1 release :12
            main atomic.update refs 0 release :12
            main cell.free refs "block from ref.c:17" :13
            """)
        #expect(finding.summary == "Data race: main frees block from ref.c:17 while w writes refs.")
        let reason = "but it reads with release only, which acquires nothing."
        #expect(finding.story.contains { $0.hasPrefix("w writes refs at ") && $0.hasSuffix(reason) })
        #expect(finding.advice == "free is not ordered after w's use: decrement refs with acq_rel.")
    }

    @Test func `all decrements of a count are one sequence, of which the last reader must acquire each`() throws {
        let finding = try race(
            """
            main thread.create v
            main thread.create w
            v cell.write x 1 :11
            v atomic.update refs 2 release :12
            w atomic.update refs 1 release :12
            main atomic.update refs 0 release :12
            main cell.free x "block" :13
            """)
        #expect(finding.advice == "free is not ordered after v's use: decrement refs with acq_rel.")
    }

    @Test func `a count that is decremented with acquire and release orders the release`() {
        let script = """
            main thread.create w
            w atomic.update refs 1 acqRel :12
            main atomic.update refs 0 acqRel :12
            main cell.free refs "block from ref.c:17" :13
            """
        #expect(RaceDetector().findings(in: script, runtime: .controlled).isEmpty)
    }

    @Test(arguments: [
        ("w", "main", "uses", "Free it after the last use: join main"),
        ("main", "w", "uses", "Free it after the last use: join w first, or count references."),
        ("w", "w", "uses", "Free it after its last use."),
        ("main", "w", "frees again", "Free it once: let the last of the threads that use it do that."),
    ])
    func `the use of freed memory has advice`(owner: String, user: String, verb: String, advice: String) throws {
        let findings = FailureDetector().findings(
            in: """
                main thread.create w
                \(owner) block.freed "block" :5
                \(user) thread.fault "\(verb) memory that was freed: block" :6
                """)
        let finding = try #require(findings.first)
        #expect(finding.code == .usedAfterFree)
        let isOfMain = user == "main"
        #expect(
            finding.advice == (isOfMain ? "Free it after the last use: let main free it, or count references." : advice)
        )
    }

    @Test func `a free of what is no block is a misuse, and a refusal names threadlab's limit`() throws {
        let freed = try #require(FailureDetector().findings(in: "main misuse invalid-free :5").first)
        #expect(freed.code == .misuse && freed.outcome == .misuse)
        #expect(freed.summary == "main freed an address at which no block of memory begins.")
        let refusal = "calls 'fork', which threadlab does not support: it runs one process"
        let refused = try #require(FailureDetector().findings(in: "main thread.fault \"\(refusal)\" :6").first)
        #expect(refused.summary == "main \(refusal).")
        #expect(refused.advice == "This is a limit of threadlab, not a mistake of the program.")
    }
}
