import Diagnosis
import Support
import Testing
import Trace

@testable import Reports
@testable import embed_files

@Suite struct PageTests {
    private func page(_ trace: TraceDocument, _ options: ReportOptions = .init()) throws -> ReadPage {
        var options = options
        options.findings = Examination.findings(in: trace)
        let html = ByteSink.collect { PageReport(trace, options).write(to: &$0) }
        return try #require(ReadPage(html))
    }

    @Test func `a page has the model's state after each step`() throws {
        let script = (0..<100).map {
            "main mutex.acquire m\nmain cell.write x \($0)\nw mutex.wait m\nmain mutex.release m\nw mutex.acquire m\nw mutex.release m"
        }
        for trace in [.abba, .handOver, Script.trace(script.joined(separator: "\n"))] {
            #expect(try page(trace.judged()).differences(from: trace) == [])
        }
    }

    @Test func `a page shows the finding's story, and its last steps at each line`() throws {
        let finding = try page(TraceDocument.abba.judged()).data["findings"].items[0]
        #expect(finding["code"] == .string("TL101"))
        #expect(finding["steps"].items.map(\.number) == [4, 7, 8, 9])
        #expect(finding["story"].items.count == 3)
    }

    @Test func `a page links a release to the next thread that takes the lock`() throws {
        let data = try page(Script.trace("main mutex.acquire m\nmain mutex.release m\nw mutex.acquire m").judged()).data
        #expect(data["links"].items.map { $0.items.map(\.number) } == [[0, 2, 3]])
        #expect(data["linkKinds"].items[0] == .string("lock"))
    }

    // MARK: - Safety

    @Test func `a page lets no text of a program become markup or code`() throws {
        var trace = TraceDocument.hostile
        trace.threads[1].name = "</script><script>alert(1)</script>"
        trace.objects[1]?.name = "<img src=x onerror=alert(2)>\u{2028}\u{2029}"
        trace.sites[1]?.file = "<!--<script>.lab"
        trace.header.scenario = "\"><svg onload=alert(3)>'&{{script}}"
        trace.header.parameters = [.init(name: "{{data}}", value: "]]>")]
        trace.texts = ["<b>"]
        trace.events.append(Event(time: 0, thread: .main, kind: .note, value: 0))
        let page = try page(trace.judged())
        #expect(page.html.ranges(of: "<script").count == 2)
        #expect(page.html.ranges(of: "</script").count == 2)
        for word in ["<img", "<svg", "<b>", "<!--", "\u{2028}", "\u{2029}", "\u{1B}", "\u{202E}"] {
            #expect(!page.html.contains(word))
        }
        #expect(page.html.contains("<h1>&quot;&gt;&lt;svg onload=alert(3)&gt;'&amp;{{script}}</h1>"))
        #expect(page.data["threads"].items[1] == .string("</script><script>alert(1)</script>"))
    }

    @Test func `a page allows its own script and style, and nothing else`() throws {
        let html = try page(.abba.judged()).html
        let policy = try #require(html.firstMatch(of: /Content-Security-Policy" content="([^"]*)"/)).1
        let styles = html.matches(of: /<style>([\s\S]*?)<\/style>/).map {
            "'sha256-\(SHA256.digest(Array($0.1.utf8)).base64)'"
        }
        let script = try #require(html.firstMatch(of: /<script>([\s\S]*?)<\/script>/)).1
        #expect(policy.hasPrefix("default-src 'none'; "))
        #expect(policy.contains("script-src 'sha256-\(SHA256.digest(Array(script.utf8)).base64)';"))
        #expect(policy.contains("style-src \(styles.joined(separator: " "));"))
        #expect(!policy.contains("unsafe"))
        for word in ["http://", "https://", "src=", "href=", " style=", "onclick"] {
            #expect(!html.replacing("http://www.w3.org/2000/svg", with: "").contains(word), "\(word)")
        }
    }

    @Test func `a digest is as FIPS 180-4 says`() {
        func digest(_ text: String) -> String { SHA256.digest(Array(text.utf8)).base64 }
        #expect(digest("") == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
        #expect(digest("abc") == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
        #expect(digest(String(repeating: "a", count: 119)) == "MeulHDE6XAgiat8Y1KNZz9/Y0ugWsT9K+VL36mWE3Ps=")
        #expect([UInt8]("ab".utf8).base64 == "YWI=")
    }

    @Test func `a page works for a trace with dangling references`() throws {
        var trace = TraceDocument(header: TraceHeader(scenario: "noise", runtime: .native))
        for kind in EventKind.allCases {
            for value in [Int64.min, -1, 0, 1, .max] {
                trace.events.append(
                    Event(
                        time: .max, thread: ThreadID(9), kind: kind, object: ObjectID(9), value: value,
                        site: SiteID(9)))
            }
        }
        _ = try page(trace)
        trace.threads = []
        _ = try page(trace)
    }

    // MARK: - Size

    @Test func `a state that comes again at another time is written once`() throws {
        let round = "main mutex.acquire m :1\nmain cell.write x 1 :2\nmain mutex.release m :3"
        let states = { (rounds: Int) in
            let script = Array(repeating: round, count: rounds).joined(separator: "\n")
            return try page(Script.trace(script).judged()).data["threadStates"].items.count
        }
        #expect(try states(10) == states(2))
    }

    @Test func `a run of ten thousand steps is a few hundred kilobytes`() throws {
        let trace = Script.trace(Self.long)
        let html = ByteSink.collect { PageReport(trace).write(to: &$0) }
        #expect(trace.events.count >= 10_000)
        #expect(html.utf8.count < 600_000)
    }

    private static let long = (0..<2_000).map { round in
        """
        main mutex.acquire m :10
        main cell.write x \(round) :11
        w    mutex.wait m :20
        main mutex.release m :12
        w    mutex.acquire m :20
        w    mutex.release m :21
        """
    }.joined(separator: "\n")
}
