import Support
import Testing
import Trace

@testable import Reports

/// A sheet to fill in, and its solution.
@Suite struct HandoutTests {
    private func program(_ lines: Int = 3, title: String = "two locks") -> HandoutProgram {
        HandoutProgram(
            title: title, details: ["pause = 10ms"],
            lines: (1...lines).map { .init(number: $0, text: "    line \($0) of the program") },
            replay: "threadlab replay x --schedule 1,2")
    }

    private func handout(_ trace: TraceDocument, _ program: HandoutProgram? = nil) -> Handout {
        Handout(trace, program ?? self.program(), ReportOptions())
    }

    private func all(_ element: XMLElement) -> [XMLElement] { [element] + element.children.flatMap(all) }

    private func elements(_ handout: Handout, _ side: Handout.Side) throws -> [XMLElement] {
        all(try XMLElement.parse(ByteSink.collect { handout.write(side, to: &$0) }))
    }

    private func texts(_ handout: Handout, _ side: Handout.Side) throws -> [String] {
        try elements(handout, side).filter { $0.name == "text" }.map(\.text)
    }

    @Test(arguments: Handout.Side.allCases) func `a side is a page of A4 that draws what it says`(side: Handout.Side)
        throws
    {
        let elements = try elements(handout(.abba.judged()), side)
        #expect(elements[0].attributes["width"] == "210mm" && elements[0].attributes["height"] == "297mm")
        let places = elements.filter { $0.name == "text" }.compactMap { $0.attributes["y"].flatMap { Int($0) } }
        #expect(places.allSatisfy { $0 < 1123 })
    }

    @Test func `the sheet has the threads and numbers of steps, and lines to write on`() throws {
        let task = try texts(handout(.abba.judged()), .task)
        let solution = try texts(handout(.abba.judged()), .solution)
        for text in ["two locks", "pause = 10ms", "line 2 of the program", "main", "first", "second", "1", "9"] {
            #expect(task.contains(text) && solution.contains(text), "\(text)")
        }
        #expect(task.contains("How does the run end, and why?") && task.contains("create first"))
        let dots = try elements(handout(.abba.judged()), .task).count { $0.attributes["class"] == "dots" }
        let given = try elements(handout(.abba.judged()), .task).count { $0.attributes["class"] == "given" }
        #expect(dots > 7 && given == 5)
    }

    @Test func `the sheet tells neither what steps do nor how the run ends`() throws {
        let text = ByteSink.collect { handout(.abba.judged()).write(.task, to: &$0) }
        for answer in [
            "lock a", "waits for", "deadlock", "blocked", ":21", "replay", "class=\"wait\"", "class=\"cross\"",
        ] {
            let isGiven = answer == "waits for" && text.contains("waits for first")
            #expect(!text.contains(answer) || isGiven, "\(answer)")
        }
        #expect(!text.contains("waits for a") && !text.contains("waits for b"))
        #expect(
            try elements(handout(.abba.judged()), .task).allSatisfy {
                $0.attributes["class"]?.hasPrefix("arrow") != true
            })
        let solution = try texts(handout(.abba.judged()), .solution)
        for answer in ["lock a", "waits for b", "blocked forever", "threadlab replay x --schedule 1,2"] {
            #expect(solution.contains(answer), "\(answer)")
        }
        #expect(solution.contains { $0.hasPrefix("deadlock: ") })
    }

    @Test func `of a run that completes the beginning is shown, and what is missing is said`() throws {
        var lines = "main cell.write count 0"
        for value in 1...200 { lines += "\nmain cell.write count \(value)" }
        lines += "\nmain run.complete"
        let long = handout(Script.trace(lines).judged())
        #expect(long.notes.count == 1 && long.notes[0].hasSuffix("steps are not on the sheet."))
        let texts = try texts(long, .task)
        #expect(texts.contains { $0.hasSuffix("more steps until the end") } && !texts.contains { $0.contains("--all") })
    }

    @Test func `a long program is printed smaller, and then in part`() throws {
        let medium = handout(.abba.judged(), program(60))
        #expect(medium.notes.isEmpty)
        #expect(try texts(medium, .task).contains("line 60 of the program"))
        let long = handout(.abba.judged(), program(2000))
        #expect(long.notes.count == 1 && long.notes[0].hasSuffix("lines of the program do not fit on the page."))
        #expect(try texts(long, .task).contains { $0.hasPrefix("…") && $0.hasSuffix("more lines") })
    }

    @Test func `markup in a program is text`() throws {
        var program = program(title: "<script>&\u{1B}[2J")
        program.lines = [.init(number: 1, text: "note \"</text><script>\"")]
        let texts = try texts(handout(.hostile, program), .solution)
        #expect(texts.contains("note \"</text><script>\"") && texts.contains { $0.hasPrefix("<script>&") })
    }
}
