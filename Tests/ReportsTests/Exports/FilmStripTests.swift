import Support
import Testing
import Trace

@testable import Reports

/// A run as small pictures.
@Suite struct FilmStripTests {
    private func text(_ trace: TraceDocument) -> String {
        ByteSink.collect { FilmStrip.write(trace, ReportOptions(), to: &$0) }
    }

    private func all(_ element: XMLElement) -> [XMLElement] { [element] + element.children.flatMap(all) }

    private func elements(_ trace: TraceDocument) throws -> [XMLElement] { all(try XMLElement.parse(text(trace))) }

    private func count(_ trace: TraceDocument, _ look: String) throws -> Int {
        try elements(trace).count { $0.attributes["class"] == look }
    }

    private func texts(_ trace: TraceDocument) throws -> [String] {
        try elements(trace).filter { $0.name == "text" }.map(\.text)
    }

    @Test(arguments: [TraceDocument.abba, .abba.judged(), .handOver.judged(), .hostile])
    func `a strip is well-formed, whatever the names`(trace: TraceDocument) throws {
        #expect(try elements(trace)[0].name == "svg")
        #expect(!text(trace).contains("<script"))
    }

    @Test func `a deadlock ends with locks that threads hold, and others that they wait for`() throws {
        let pictures = try count(.abba.judged(), "frame") + count(.abba.judged(), "frame marked")
        #expect(try count(.abba.judged(), "frame marked") == 1)
        #expect(try count(.abba.judged(), "box") == 2 * pictures)
        // The last picture has both cycles' arrows; the one before it has one wait less.
        #expect(try count(.abba.judged(), "waits") == 3 && count(.abba.judged(), "holds") >= 5)
        let texts = try texts(.abba.judged())
        for text in ["first", "second", "a", "b", "free", "held", "lock a :21", "waits for b :22"] {
            #expect(texts.contains { $0.replacing("  ", with: " ") == text }, "\(text)")
        }
        #expect(!texts.contains("main") && texts.contains { $0.hasSuffix("the numbers are those of the lanes.") })
        #expect(texts.contains { $0.hasPrefix("deadlock: first and second wait for each other") })
    }

    @Test func `values are those after each step`() throws {
        let trace = Script.trace("main cell.write count 0\nmain cell.write count 7\nmain cell.read count 7")
        let texts = try texts(trace)
        #expect(texts.count { $0 == "7" } == 2 && texts.count { $0 == "0" } == 1 && texts.contains("count"))
    }

    @Test func `of a long run there are few pictures, and it says how many steps have none`() throws {
        var lines = "main cell.write count 0"
        for value in 1...200 { lines += "\nmain cell.write count \(value)" }
        let trace = Script.trace(lines)
        #expect(try count(trace, "frame") == FilmCast.mostSteps)
        #expect(try texts(trace).contains { $0.hasPrefix("177 steps without a picture") })
    }

    @Test func `the steps that decided the end keep their pictures`() throws {
        var lines = "main thread.create t\nt thread.start\nmain cell.write x 1\nt cell.write x 2"
        for value in 1...200 { lines += "\nt cell.write count \(value)" }
        let trace = Script.trace(lines).judged()
        #expect(trace.outcome?.kind == .race)
        #expect(try count(trace, "frame marked") == 2)
    }
}
