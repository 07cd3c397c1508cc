import Play
import Support
import Testing
import Trace

@testable import PlayScreen

/// The screen, as lines at places.
@Suite struct ScreenLayoutTests {
    private static func session(_ trace: TraceDocument = .abba, at position: Int) throws -> PlaySession {
        var program = PlayedProgram(nil, tool: "threadlab")
        program.lines = { _ in (1...40).map { "\tline \($0)" } }
        var session = PlaySession(program, recorded: trace)
        _ = try session.perform(.goTo(.position(position)))
        return session
    }

    private static func lines(
        _ session: PlaySession, _ rows: Int, _ columns: Int, ascii: Bool = false, messages: [String] = ["A sentence."]
    ) -> [ScreenLine] {
        ScreenLayout.lines(
            session, name: "n", messages: messages, input: nil, rows: rows, columns: columns, ascii: ascii)
    }

    @Test(arguments: [(24, 80), (60, 200), (10, 40), (5, 20), (2, 2), (1, 1), (24, 59), (3, 300)])
    func `everything is inside, and nothing overlaps`(rows: Int, columns: Int) throws {
        for position in 0...9 {
            let session = try Self.session(at: position)
            for messages in [
                ["A sentence."], (1...50).map { "Message \($0), which is rather long for a narrow screen" },
            ] {
                var used: Set<[Int]> = []
                for line in Self.lines(session, rows, columns, messages: messages) {
                    let width = ScreenText.columns(line.text)
                    #expect((0..<rows).contains(line.row) && line.column >= 0 && line.column + width <= columns)
                    for column in 0..<width { #expect(used.insert([line.row, line.column + column]).inserted) }
                }
            }
        }
    }

    @Test func `shows where threads are, what they do, and the run so far`() throws {
        let session = try Self.session(at: 9)
        let text = Self.lines(session, 30, 200).map(\.text)
        #expect(text.contains { $0.hasPrefix("n  step 9 of 9") })
        #expect(text.contains { $0.contains("22     line 22") && $0.contains("1>") })
        #expect(
            text.contains(
                "- 1 first: waits for b at line 22, which second holds since line 27; holds a (since line 21)"))
        #expect(text.contains("  a: held by first, awaited by second"))
        #expect(text.contains { $0.contains("second  waits for a") })
    }

    @Test func `names cannot move the cursor`() throws {
        var trace = TraceDocument.abba
        trace.threads[1].name = "\u{1B}[2Jfirst\u{202E}"
        trace.objects[1]?.name = "a\nb\u{7}"
        let session = try Self.session(trace, at: 9)
        for ascii in [false, true] {
            for line in Self.lines(session, 24, 80, ascii: ascii, messages: [session.why(1), "\u{1B}c"]) {
                #expect(line.text.unicodeScalars.allSatisfy { !$0.isHazard && (!ascii || $0.isASCII) }, "\(line.text)")
            }
        }
    }

    @Test func `wraps between words`() {
        #expect(ScreenText.wrap("one two three", width: 7) == ["one two", "three"])
        #expect(ScreenText.wrap("", width: 7) == [""])
        #expect(ScreenText.wrap("  one two three", width: 9) == ["  one two", "three"])
        #expect(ScreenText.fit("日本語", width: 5, ascii: false) == "日本…")
        #expect(ScreenText.fit("abc", width: 3, ascii: true) == "abc")
    }
}

extension Unicode.Scalar {
    fileprivate var isHazard: Bool { value < 32 || (0x7F...0x9F).contains(value) || (0x202A...0x202E).contains(value) }
}
