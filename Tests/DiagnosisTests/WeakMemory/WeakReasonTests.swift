import Support
import Testing
import Trace

@testable import Diagnosis

/// Why a read of an older value is allowed, in words.
@Suite struct WeakReasonTests {
    private func reasons(_ trace: TraceDocument) -> [String] {
        WeakReasons(trace).paragraphs(in: Names(trace))
    }

    private static let older =
        "reader sees an older value of data at weak.lab:13: nothing orders writer's write at weak.lab:7 before it. "
    private static let sight =
        older + "reader has read flag at weak.lab:12, which writer wrote later at weak.lab:8, but "

    @Test func `the reason names the operation whose order is too weak`() {
        #expect(
            reasons(.messagePassing()) == [
                Self.sight + "that write is relaxed: it passes on nothing that came before it. release would."
            ])
        #expect(
            reasons(.messagePassing(flag: "release", read: "relaxed")) == [
                Self.sight + "that read is relaxed: it does not order what the reader does later. acquire would."
            ])
        #expect(
            reasons(.messagePassing(read: "relaxed")) == [
                Self.sight + "both are relaxed: the read orders nothing. release and acquire would."
            ])
    }

    @Test func `a fence orders in place of the operation before it`() {
        #expect(
            reasons(.messagePassing(read: "relaxed", between: "reader memory.fence acquire\n")) == [
                Self.sight + "that write is relaxed: it passes on nothing that came before it. release would."
            ])
    }

    @Test func `a thread that has read nothing since is ordered by nothing`() {
        let trace = TraceDocument.weak(
            """
            left atomic.store x 1 relaxed :7
            left atomic.load y 0 relaxed :8
            right atomic.store y 1 relaxed :12
            right memory.behind x 1 :13
            right atomic.load x 0 relaxed :13
            """)
        #expect(
            reasons(trace) == [
                "right sees an older value of x at weak.lab:13: nothing orders left's write at weak.lab:7 before it. "
                    + "right has read nothing that left wrote then or later, and relaxed operations are not part of the "
                    + "one order of all seqcst operations."
            ])
    }

    @Test func `under tso a store waits in its buffer, or else the reader's own`() {
        func lines(_ between: String) -> String {
            """
            left atomic.store x 1 relaxed :7
            \(between)left atomic.load y 0 relaxed :8
            right atomic.store y 1 relaxed :12
            right memory.behind x 1 :13
            right atomic.load x 0 relaxed :13
            """
        }
        let beginning =
            "right sees an older value of x at weak.lab:13: nothing orders left's write at weak.lab:7 before it. "
        #expect(
            reasons(.weak(lines(""), model: 1)) == [
                beginning + "It can wait in left's store buffer, where right does not see it."
            ])
        #expect(
            reasons(.weak(lines("left memory.fence seqcst\n"), model: 1)) == [
                beginning + "right's own write of y at weak.lab:12 can wait in its store buffer until then."
            ])
    }

    @Test func `a write that goes before another one has a reason too`() {
        #expect(
            reasons(.twoPlusTwoWrites) == [
                "right's write of x at weak.lab:12 goes before left's at weak.lab:6: nothing orders left's write at "
                    + "weak.lab:6 before it. right has read nothing that left wrote then or later, and relaxed operations "
                    + "are not part of the one order of all seqcst operations."
            ])
    }

    @Test func `the order is lost where the first thread in a chain reads`() {
        let trace = TraceDocument.weak(
            """
            a atomic.store x 1 relaxed :1
            b atomic.load x 1 relaxed :2
            b atomic.store y 1 release :3
            c atomic.load y 1 acquire :4
            c memory.behind x 1 :5
            c atomic.load x 0 relaxed :5
            """)
        #expect(
            reasons(trace) == [
                "c sees an older value of x at weak.lab:5: nothing orders a's write at weak.lab:1 before it. "
                    + "b has read it at weak.lab:2, and c what b wrote then, but both are relaxed: the read orders "
                    + "nothing. release and acquire would."
            ])
    }

    @Test func `the update of a release sequence is not to blame`() {
        let trace = TraceDocument.weak(
            """
            a atomic.store x 1 relaxed :1
            a atomic.store y 1 release :2
            b atomic.update y 2 relaxed :3
            c atomic.load y 2 relaxed :4
            c memory.behind x 1 :5
            c atomic.load x 0 relaxed :5
            """)
        #expect(
            reasons(trace) == [
                "c sees an older value of x at weak.lab:5: nothing orders a's write at weak.lab:1 before it. "
                    + "c has read y at weak.lab:4, which a wrote later at weak.lab:2, but that read is relaxed: it does "
                    + "not order what the reader does later. acquire would."
            ])
    }

    @Test func `a sequentially consistent run has no such steps`() {
        #expect(reasons(.abba).isEmpty)
        #expect(reasons(.weak("a atomic.store x 1 relaxed\nb atomic.load x 1 relaxed")).isEmpty)
    }

    @Test func `a race is explained by the write that was read, not by the last one`() {
        let trace = TraceDocument.weak(
            """
            main thread.create writer
            main thread.create other
            main thread.create reader
            writer cell.write data 1 :1
            writer atomic.store flag 1 relaxed :2
            other atomic.store flag 2 release :5
            reader memory.behind flag 1 :8
            reader atomic.load flag 1 acquire :8
            reader cell.read data 1 :9
            """)
        let story = Examination.findings(in: trace).first { $0.code == .race }?.story.joined(separator: " ") ?? ""
        #expect(story.contains("weak.lab:2") && story.contains("weak.lab:8"), "\(story)")
    }

    @Test func `a permit empties a store buffer`() {
        let trace = TraceDocument.weak(
            """
            left atomic.store x 1 relaxed :1
            left semaphore.signal s :2
            right atomic.store y 1 relaxed :4
            right memory.behind x 1 :5
            right atomic.load x 0 relaxed :5
            """, model: 1)
        #expect(
            reasons(trace).joined().hasSuffix(
                "right's own write of y at weak.lab:4 can wait in its store buffer until then."))
    }

    @Test func `an arrow leads from the write that is read, once for each thread`() {
        let trace = TraceDocument.weak(
            """
            a atomic.store x 1 relaxed
            a atomic.store x 2 relaxed
            b memory.behind x 1
            b atomic.load x 1 relaxed
            b memory.behind x 1
            b atomic.load x 1 relaxed
            b atomic.load x 2 relaxed
            """)
        var finder = CauseFinder()
        let causes = trace.events.enumerated().flatMap { index, event in
            finder.consume(event)
            return finder.causes.map { "\($0.kind): \($0.event + 1) -> \(index + 1)" }
        }
        #expect(causes == ["olderSource: 2 -> 5", "value: 2 -> 7", "source: 3 -> 8"])
    }
}
