import Diagnosis
import Reports
import Support
import Testing
import Trace

/// Reports say what happened in the program's terms.
@Suite struct ProgramTermTests {
    private static func lanes(_ trace: TraceDocument, _ options: ReportOptions = .init()) -> [Substring] {
        trace.shown(as: .lanes, options).split(separator: "\n")
    }

    private static func rows(_ trace: TraceDocument) -> [Substring] {
        trace.shown(as: .lanes).drawing.split(separator: "\n")
    }

    @Test func `a Boolean is false or true`() {
        var trace = Script.trace("main cell.write ready 1\nmain cell.read count 1\nmain atomic.load done 0")
        trace.objects[1]?.kind = .booleanCell
        trace.objects[3]?.kind = .booleanAtomic
        let rows = Self.rows(trace.judged())
        #expect(rows[0].hasSuffix("write ready = true"))
        #expect(rows[1].hasSuffix("read count = 1"))
        #expect(rows[2].hasSuffix("read done = false"))
    }

    @Test func `a pointer is what it points to, null, or an address`() {
        var trace = Script.trace(
            "main cell.write head 4096\nmain cell.read head 0\nmain atomic.load last 4096\nmain cell.read head 255")
        trace.objects[1]?.kind = .pointerCell
        trace.objects[2]?.kind = .pointerAtomic
        trace.targets = [4096: "item \u{1B}3"]
        let rows = Self.rows(trace.judged())
        #expect(rows[0].hasSuffix("write head = item \\u{1B}3"))
        #expect(rows[1].hasSuffix("read head = null"))
        #expect(rows[2].hasSuffix("read last = item \\u{1B}3"))
        #expect(rows[3].hasSuffix("read head = 0xff"))
    }

    @Test func `a wait with a time limit is one row, and an await says what it waits for`() {
        var trace = Script.trace(
            "main thread.deadline 5000000\nmain mutex.wait free\nmain mutex.timeout free\nmain cell.read flag 0")
        trace.events[3].kind = .memoryWait
        let rows = Self.rows(trace.judged())
        #expect(rows[0].contains("waits for free, at most 5 ms"))
        #expect(rows[2].contains("waits until flag changes"))
    }

    /// Two threads write the same cell, and then go on to do other things.
    private static let race: TraceDocument = {
        let rest = (1...20).map { "second cell.write other \($0) :9" }.joined(separator: "\n")
        return Script.trace(
            """
            main thread.create first
            main thread.create second
            first cell.write a 1 :5
            first thread.exit
            second cell.write other 0 :8
            second cell.write a 2 :7
            \(rest)
            """)
    }()

    private static func options(_ trace: TraceDocument) -> ReportOptions {
        var options = ReportOptions()
        options.findings = Examination.findings(in: trace)
        return options
    }

    @Test func `the accesses of a data race are marked, and what follows them is left out`() {
        let rows = Self.lanes(Self.race.judged(), Self.options(Self.race))
        #expect(rows.filter { $0.contains("✗") }.map { String($0.prefix(2)) } == [" 3", " 6"])
        #expect(rows.contains(" ⋮  20 more steps until the end: --all shows them"))
        #expect(rows.contains("  These are rows 3 and 6 above."))
    }

    @Test func `every step is shown if that is asked for`() {
        var options = Self.options(Self.race)
        options.foldsCycles = false
        let rows = Self.lanes(Self.race.judged(), options)
        #expect(rows.filter { $0.contains("write other") }.count == 21)
        #expect(rows.contains("  These are rows 3 and 6 above."))
    }
}
