import Reports
import Support
import Testing
import Text
import Trace

@Suite struct ReportSafetyTests {
    @Test(arguments: ReportFormat.allCases)
    func `every report does nothing to a terminal, whatever the names are`(format: ReportFormat) {
        let shown = TraceDocument.hostile.shown(as: format)
        #expect(shown.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isHazardous })
    }

    @Test(arguments: ReportFormat.allCases) func `every report shows no harm in the words of a stranger's remarks`(
        format: ReportFormat
    ) {
        let words = "\u{1B}[31m {object}\u{202E}<b> {value} {thread} {what} } {"
        var trace = TraceDocument.hostile
        let remark = trace.number(of: Remark("evil.act", words, value: .text, says: "\u{9B}"))
        trace.events.append(
            Event(time: .max, thread: .main, kind: .remark, object: ObjectID(1), value: 0, remark: remark))
        let shown = trace.shown(as: format)
        #expect(format == .none || shown.contains("evil.act") || shown.contains("{what} } {"))
        #expect(shown.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isHazardous })
    }

    @Test(arguments: [ReportFormat.text, .lanes])
    func `every report is pure ASCII if asked`(format: ReportFormat) {
        for trace in [TraceDocument.hostile, .handOver.judged()] {
            #expect(trace.shown(as: format, .init(ascii: true)).utf8.allSatisfy { $0 < 0x80 })
        }
    }

    @Test(arguments: [ReportFormat.text, .lanes])
    func `every report shows the same with colors and without`(format: ReportFormat) {
        let plain = TraceDocument.hostile.shown(as: format)
        let colored = TraceDocument.hostile.shown(as: format, .init(color: true))
        #expect(colored != plain)
        #expect(colored.withoutColors == plain)
    }

    @Test(arguments: [ReportFormat.text, .lanes])
    func `every report ends no line in a blank`(format: ReportFormat) {
        #expect(!TraceDocument.handOver.judged().shown(as: format).contains(" \n"))
    }

    @Test(arguments: [ReportFormat.text, .lanes, .json])
    func `every report passes on whole lines, a chunk at a time`(format: ReportFormat) {
        let trace = TraceDocument.handOver.judged()
        let collector = Collector()
        var sink = ByteSink(chunkSize: 100) { collector.chunks.append($0) }
        format.write(trace, to: &sink)
        sink.flush()
        #expect(collector.chunks.count > 5)
        #expect(collector.chunks.allSatisfy { $0.last == UInt8(ascii: "\n") })
        #expect(Array(collector.chunks.joined()) == Array(trace.shown(as: format).utf8))
    }

    @Test(arguments: ReportFormat.allCases)
    func `every report works for a trace with dangling references`(format: ReportFormat) {
        var trace = TraceDocument(header: TraceHeader(scenario: "noise", runtime: .native))
        for kind in EventKind.allCases {
            for value in [Int64.min, -1, 0, 1, .max] {
                trace.events.append(
                    Event(
                        time: .max, thread: ThreadID(9), kind: kind, object: ObjectID(9), value: value,
                        site: SiteID(9)))
            }
        }
        #expect(!trace.shown(as: format).isEmpty)
        trace.threads = []
        #expect(!trace.shown(as: format).isEmpty)
    }

    @Test(
        arguments: [ReportFormat.text, .lanes])
    func `every report shows what is inside a built primitive only where a thread is blocked on it`(
        format: ReportFormat
    ) {
        var trace = Script.trace("main mutex.acquire inside\nmain mutex.release inside\nmain mutex.acquire outside")
        trace.objects[1]?.kind = .part
        #expect(!trace.shown(as: format).contains("inside"))
        #expect(trace.shown(as: format).contains(" 1  "))
        trace.events.append(Event(time: 0, thread: .main, kind: .mutexWait, object: ObjectID(1)))
        #expect(trace.shown(as: format).contains("inside"))
    }

    @Test(arguments: [ReportFormat.text, .lanes])
    func `every report shows no value that is not a number`(format: ReportFormat) {
        let trace = Script.trace("main cell.write name \(Event.noNumber)")
        #expect(!trace.shown(as: format).contains("9223372036854775808"))
        #expect(!trace.shown(as: format).contains("="))
    }

    @Test func `a report of the format json is the saved trace`() throws {
        let trace = TraceDocument.hostile
        #expect(try TraceReader.read(Array(trace.shown(as: .json).utf8)) == trace)
    }
}

private final class Collector {
    var chunks: [[UInt8]] = []
}

extension String {
    fileprivate var withoutColors: String {
        split(separator: "\u{1B}[", omittingEmptySubsequences: false).enumerated()
            .map { $0.offset == 0 ? String($0.element) : String($0.element.drop { $0 != "m" }.dropFirst()) }.joined()
    }
}
