import Support
import Testing
import Trace

@testable import Reports

@Suite struct LaneDrawingTests {
    private func drawing(_ trace: TraceDocument) throws -> XMLElement {
        try XMLElement.parse(text(trace))
    }

    private func text(_ trace: TraceDocument) -> String {
        ByteSink.collect { LaneDrawing.write(trace, ReportOptions(), to: &$0) }
    }

    private func all(_ element: XMLElement) -> [XMLElement] { [element] + element.children.flatMap(all) }

    private func texts(_ trace: TraceDocument) throws -> [String] {
        try all(drawing(trace)).filter { $0.name == "text" }.map(\.text)
    }

    private func count(_ trace: TraceDocument, _ name: String, _ look: String) throws -> Int {
        try all(drawing(trace)).count { $0.name == name && $0.attributes["class"] == look }
    }

    @Test(arguments: [TraceDocument.abba, .abba.judged(), .handOver.judged(), .hostile])
    func `a drawing is well-formed, whatever the names`(trace: TraceDocument) throws {
        let root = try drawing(trace)
        #expect(root.name == "svg" && root.attributes["xmlns"] == "http://www.w3.org/2000/svg")
        #expect(!text(trace).contains("http-equiv") && !text(trace).contains("<script"))
    }

    @Test func `each step is written out, with its thread and line`() throws {
        let texts = try texts(.abba.judged())
        for text in ["deadlock", "main", "first", "second", "create first", "lock a", ":21", "waits for b"] {
            #expect(texts.contains(text), "\(text)")
        }
        #expect(texts.contains { $0.hasPrefix("deadlock: first and second wait for each other") })
        #expect(texts.contains("blocked forever"))
    }

    @Test func `waits are bands, and a deadlock crosses out its threads`() throws {
        #expect(try count(.abba.judged(), "line", "wait") == 3)
        #expect(try count(.abba.judged(), "path", "cross") == 3)
        #expect(try count(.handOver.judged(), "path", "cross") == 0)
    }

    @Test func `arrows lead from a release to the next acquisition, and from a signal to the wake-up`() throws {
        #expect(try count(.handOver.judged(), "path", "arrow signal") == 1)
        // Two creations and two ends, the mutex there and back.
        #expect(try count(.handOver.judged(), "path", "arrow") == 6)
    }

    @Test func `markup in a name is text`() throws {
        var trace = TraceDocument.abba
        trace.threads[1].name = "<script>alert(1)</script>\"&"
        #expect(try texts(trace).contains("<script>alert(1)</script>\"&"))
    }

    @Test func `a long run is drawn in part, and says so`() throws {
        var lines = "main cell.write count 0"
        for value in 1...2000 { lines += "\nmain cell.write count \(value)" }
        let texts = try texts(Script.trace(lines))
        #expect(texts.count < 2500 && texts.contains { $0.hasSuffix("steps are left out: --all shows them") })
    }
}
