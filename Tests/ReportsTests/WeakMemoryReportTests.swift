import Reports
import Support
import Testing
import Trace

/// Runs under a weaker memory model, as reports show them.
@Suite struct WeakMemoryReportTests {
    private func rows(_ trace: TraceDocument, _ format: ReportFormat, ascii: Bool = false) -> String {
        trace.shown(as: format, .init(width: 200, ascii: ascii)).split(separator: "\n\n", maxSplits: 2).prefix(2)
            .joined(separator: "\n\n")
    }

    @Test func `lanes say that a read is not of the newest write, and point from the write to the read`() {
        #expect(
            rows(.messagePassing(), .lanes) == """
                test  controlled, memory model rc11

                 1  │  ●     writer  write data = 1 (relaxed)                                                      :7
                 2  │  ●     writer  write flag = 1 (relaxed)                                                      :8
                 3  │  ├─▶●  reader  read flag = 1 (acquire)                                                       :12
                 4  │  │  ◇  reader  reads an older value of data: 0 (relaxed), although writer wrote 1 at line 7  :13
                """)
    }

    @Test func `an arrow from a write that is not the newest is dashed, in ASCII too`() {
        let trace = TraceDocument.weak(
            """
            a atomic.store x 1 relaxed :1
            a atomic.store x 2 relaxed :2
            b memory.behind x 1 :3
            b atomic.load x 1 relaxed :3
            """)
        #expect(rows(trace, .lanes).contains("│  ├╌▶◇  b  reads an older value of x: 1 (relaxed), although a wrote 2"))
        #expect(rows(trace, .lanes, ascii: true).contains("|  +.>o  b  reads an older value"))
    }

    @Test func `a write that goes before another one says so`() {
        let words = "write x = 2 (relaxed), which goes before left's write of 1 at line 6"
        #expect(rows(.twoPlusTwoWrites, .lanes).contains("◇  right  \(words)"))
    }

    @Test func `the text report has one line for a read and what it does not see`() {
        let text = rows(.messagePassing(), .text)
        #expect(text.hasPrefix("test  controlled, memory model rc11\n"))
        #expect(
            text.contains("atomic.load   data    0 relaxed, although writer") && text.contains(" wrote 1 at line 7"))
        #expect(!text.contains("memory.behind"))
    }

    @Test func `the writes of an atomic are listed in modification order on demand`() {
        var options = ReportOptions(width: 100)
        #expect(!TraceDocument.twoPlusTwoWrites.shown(as: .lanes, options).contains("modification order"))
        options.showsModificationOrder = true
        let shown = TraceDocument.twoPlusTwoWrites.shown(as: .lanes, options)
        #expect(
            shown.contains(
                """
                modification order:
                  x: the initial value, then 2 (right at line 12), then 1 (left at line 6)
                  y: the initial value, then 2 (left at line 7), then 1 (right at line 11)
                """))
    }

    @Test func `a page says of the step why it is allowed`() {
        let page = ByteSink.collect { PageReport(.messagePassing()).write(to: &$0) }
        #expect(page.contains("\"reasons\":{\"4\":\"reader sees an older value of data at weak.lab:13: nothing orders"))
        #expect(page.contains("memory model rc11"))
    }

    @Test func `a fence is a step`() {
        #expect(rows(.weak("a memory.fence acqRel :4"), .lanes).contains("●  a  fence acqRel  :4"))
    }

    @Test func `a drawing names the model, and has a dashed arrow to an older value`() throws {
        let drawing = ByteSink.collect {
            LaneDrawing.write(
                .weak(
                    """
                    a atomic.store x 1 relaxed :1
                    a atomic.store x 2 relaxed :2
                    b memory.behind x 1 :3
                    b atomic.load x 1 relaxed :3
                    """), ReportOptions(), to: &$0)
        }
        #expect(drawing.contains("test, memory model rc11"))
        #expect(drawing.split(separator: "arrow signal").count == 2)
    }
}
