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
        program.source = { "a line of the program, number \($0.line)" }
        var session = PlaySession(program, recorded: trace)
        _ = try session.perform(.goTo(.position(position)))
        return session
    }

    private static func lines(
        _ session: PlaySession, _ rows: Int, _ columns: Int, ascii: Bool = false, color: Bool = false,
        messages: [String] = ["A sentence."], isProjected: Bool = false
    ) -> [ScreenLine] {
        var content = ScreenLayout.Content(name: "n", messages: messages)
        content.isProjected = isProjected
        content.ascii = ascii
        content.color = color
        return ScreenLayout(session, content, rows: rows, columns: columns).lines
    }

    @Test(arguments: [(24, 80), (60, 200), (10, 40), (5, 20), (2, 2), (1, 1), (24, 59), (3, 300)], [false, true])
    func `everything is inside, and nothing overlaps`(size: (rows: Int, columns: Int), isProjected: Bool) throws {
        let (rows, columns) = size
        for position in 0...9 {
            let session = try Self.session(at: position)
            for messages in [
                ["A sentence."], (1...50).map { "Message \($0), which is rather long for a narrow screen" },
            ] {
                var used: Set<[Int]> = []
                let lines = Self.lines(
                    session, rows, columns, color: position % 2 == 0, messages: messages, isProjected: isProjected)
                for line in lines {
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
                "- 1 first: waits for b at line 22, which second holds since line 27; holds a (taken at line 21)"))
        #expect(text.contains("  a: held by first, awaited by second"))
        #expect(text.contains { $0.contains("second  waits for a") })
    }

    @Test func `where there is no room for sentences, a few words say all, and the waiting main thread is left out`()
        throws
    {
        let text = Self.lines(try Self.session(at: 9), 14, 80).map(\.text)
        #expect(text.contains("- 1 first: waits b<-2, holds a") && text.contains("- 2 second: waits a<-1, holds b"))
        #expect(text.contains("  a: held by 1, 2 waits") && text.contains("  b: held by 2, 1 waits"))
        #expect(!text.contains { $0.contains("0 main") })
    }

    @Test func `a line that a thread is at is shown in full, and the source can be scrolled`() throws {
        var program = PlayedProgram(nil, tool: "threadlab")
        program.lines = { _ in (1...120).map { "\(String(repeating: "word ", count: 12))end\($0)" } }
        var session = PlaySession(program, recorded: .abba)
        _ = try session.perform(.goTo(.position(9)))
        var content = ScreenLayout.Content(name: "n", messages: [""])
        let following = ScreenLayout(session, content, rows: 40, columns: 80)
        let text = following.lines.map(\.text)
        #expect(text.contains { $0.contains("1> 22 word word") } && text.contains { $0.hasSuffix(" end22") })
        #expect(text.contains { $0.contains("    23 word word") } && !text.contains { $0.contains("end23") })
        content.firstLine = 100
        let read = ScreenLayout(session, content, rows: 40, columns: 80)
        #expect(read.firstLine == 100 && read.lines.contains { $0.text.hasSuffix(" end100") })
        content.firstLine = 1000
        let end = ScreenLayout(session, content, rows: 40, columns: 80)
        #expect(end.firstLine.map { (100..<120).contains($0) } == true)
        #expect(end.lines.contains { $0.text.hasSuffix(" end120") })
    }

    @Test func `colors are those of the lanes, and none without them`() throws {
        let session = try Self.session(at: 9)
        #expect(Self.lines(session, 24, 80).allSatisfy { $0.style.color == nil })
        let colored = Self.lines(session, 40, 80, color: true)
        #expect(colored.contains { $0.text.hasPrefix("- 1 first") && $0.style.color == 3 })
        #expect(colored.contains { $0.text == "first" && $0.style.color == 3 })
        #expect(!colored.contains { $0.text.contains("\u{1B}") })
    }

    @Test func `a projector shows each thread with its line, the last steps, and no waiting main thread`() throws {
        let session = try Self.session(at: 9)
        let lines = Self.lines(session, 24, 80, color: true, isProjected: true)
        let text = lines.map(\.text)
        #expect(text.contains("- 1  first   waits for b, which second holds; holds a"))
        #expect(text.contains("- 2  second  waits for a, which first holds; holds b"))
        #expect(
            text.contains("     22  a line of the program, number 22") && text.contains { $0.hasPrefix("  Step 9: ") })
        #expect(text.contains("  a: held by 1, 2 waits    b: held by 2, 1 waits"))
        #expect(!text.contains { $0.contains("main") && $0.hasPrefix("-") })
        #expect(lines.contains { $0.text.hasPrefix("- 1  first") && $0.style.isBold && $0.style.color == 3 })
        #expect(lines.filter { !$0.text.isEmpty }.count <= 20)
    }

    /// A thread that is joined holds nothing, and a writer that waits does not hold the lock yet.
    @Test(arguments: [
        ("w thread.start\nmain thread.create v\nv thread.start\nv thread.join-wait w", "v     waits for w to end"),
        (
            "main rwlock.read-acquire t\nmain thread.create w\nw thread.start\nw rwlock.write-wait t\n"
                + "main thread.create v\nv thread.start\nv rwlock.read-wait t",
            "v     waits for t, which w waits to write"
        ),
    ])
    func `a projector says what keeps a thread waiting`(script: String, says: String) throws {
        let trace = Script.trace(script)
        let session = try Self.session(trace, at: trace.events.count)
        let text = Self.lines(session, 24, 80, isProjected: true).map(\.text)
        #expect(text.contains { $0.hasSuffix(says) }, "\(text)")
    }

    @Test func `a file that cannot be read has no source`() throws {
        var program = PlayedProgram(nil, tool: "threadlab")
        program.lines = { _ in [""] }
        var session = PlaySession(program, recorded: .abba)
        _ = try session.perform(.goTo(.position(9)))
        #expect(Self.lines(session, 24, 80).contains { $0.text.hasPrefix("(no source of ") })
    }

    @Test func `a projector says which keys step, and shows less where there is less room`() throws {
        let begun = try Self.session(at: 1)
        let keys = Self.lines(begun, 24, 80, isProjected: true).filter { $0.row == 23 }.map(\.text)
        #expect(keys.first?.hasPrefix("press ") == true && keys.first?.hasSuffix("q quit") == true)
        let end = try Self.session(at: 9)
        let over = Self.lines(end, 24, 80, isProjected: true).filter { $0.row == 23 }.map(\.text)
        #expect(over.first?.hasPrefix("the run is over") == true)
        let few = Self.lines(end, 8, 80, isProjected: true).map(\.text)
        #expect(few.contains { $0.hasPrefix("- 2  second") } && few.contains { $0.hasPrefix("- 1  first") })
        let least = Self.lines(end, 5, 80, isProjected: true).map(\.text)
        #expect(least.contains { $0.hasSuffix("more: ':state')") })
    }

    @Test func `a projector shows a long line in full`() throws {
        var program = PlayedProgram(nil, tool: "threadlab")
        program.source = { _ in String(repeating: "word ", count: 25) + "end" }
        var session = PlaySession(program, recorded: .abba)
        _ = try session.perform(.goTo(.position(9)))
        let text = Self.lines(session, 24, 60, isProjected: true).map(\.text)
        #expect(
            text.count { $0.hasPrefix("      ") && $0.hasSuffix(" end") } >= 2 && !text.contains { $0.contains("…") })
    }

    @Test func `keys that do not fit are left out, and never how to quit`() throws {
        let keys = Self.lines(try Self.session(at: 1), 24, 30).filter { $0.row == 23 }.map(\.text)
        #expect(keys == ["N step  ? why  q quit"])
    }

    @Test func `more messages than fit are read page by page`() throws {
        var content = ScreenLayout.Content(name: "n", messages: (1...20).map { "Message \($0)." })
        let first = ScreenLayout(try Self.session(at: 9), content, rows: 14, columns: 80)
        #expect(first.lines.contains { $0.text == "(15 more lines: Space)" })
        content.linesRead = try #require(first.shownMessages)
        let second = ScreenLayout(try Self.session(at: 9), content, rows: 14, columns: 80)
        #expect(second.lines.contains { $0.text == "Message 6." } && !second.lines.contains { $0.text == "Message 5." })
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
        #expect(ScreenText.wrapped("a    b", width: 7) == ["a    b"])
        #expect(ScreenText.wrapped("  one two three four", width: 16) == ["  one two three", "    four"])
        #expect(ScreenText.wrap("  one two three", width: 9) == ["  one two", "three"])
        #expect(ScreenText.fit("日本語", width: 5, ascii: false) == "日本…")
        #expect(ScreenText.fit("abc", width: 3, ascii: true) == "abc")
    }
}

extension Unicode.Scalar {
    fileprivate var isHazard: Bool { value < 32 || (0x7F...0x9F).contains(value) || (0x202A...0x202E).contains(value) }
}
