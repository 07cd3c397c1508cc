import Testing

@testable import Trace

/// A place as a recording has it: its file, and the calls that led there.
@Suite struct SiteTextTests {
    private func site(_ calls: [TraceDocument.Site.Call]) -> TraceDocument.Site {
        var site = TraceDocument.Site(file: "src/bank.cpp", line: 7)
        site.calls = calls
        return site
    }

    @Test func `calls are read as they were written`() {
        let calls = [
            TraceDocument.Site.Call(function: "Bank::pay", file: "src/bank.cpp", line: 7),
            TraceDocument.Site.Call(function: "lambda in main", file: "C:/main.cpp", line: 12),
        ]
        #expect(TraceDocument.Site(text: site(calls).text, line: 7) == site(calls))
        #expect(TraceDocument.Site(text: site([]).text, line: 7) == site([]))
    }

    @Test(arguments: ["", "\n", "a\nb", "a\n\t", "a\nf\tg", "a\nf\tg:", "a\nf\tg:x", "\t\n:1\t"])
    func `a damaged text has no calls`(text: String) {
        #expect(TraceDocument.Site(text: text, line: 1).calls.isEmpty)
    }

    @Test func `names cannot look like other calls, and what is too long ends after a whole call`() {
        let odd = TraceDocument.Site.Call(function: "f\n\tg", file: "a\tb", line: 1)
        #expect(TraceDocument.Site(text: site([odd]).text, line: 7).calls.count == 1)
        let many = (1...200).map {
            TraceDocument.Site.Call(function: "function\($0)", file: "file-of-the-program.cpp", line: $0)
        }
        let text = site(many).text
        #expect(text.utf8.count <= NameArea.longestText)
        let read = TraceDocument.Site(text: text, line: 7).calls
        #expect(read.count > 50 && read == Array(many.prefix(read.count)))
    }

    @Test func `only the calls of some places are kept`() {
        var trace = TraceDocument(header: TraceHeader(scenario: "x", runtime: .controlled))
        let call = TraceDocument.Site.Call(function: "f", file: "a.c", line: 1)
        trace.sites += [site([call, call]), site([call, call]), site([call])]
        trace.keepCalls(of: [SiteID(1), SiteID(3)])
        #expect(trace.sites.map { $0?.calls.count ?? 0 } == [0, 2, 0, 0])
    }
}
