import LabProgram
import Testing
import Trace

@testable import LabSyntax

@Suite struct StartingProgramTests {
    private let text = StartingProgram.text(title: "mine")

    @Test func `a new file has no mistake, and nothing that one is warned of`() {
        let source = SourceText(name: "mine.lab", text)
        #expect(source.read().diagnostics.map { $0.text(in: source) } == [])
        #expect((try? source.formatted()) == text)
        #expect(source.lineCount < 40 && text.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }

    @Test func `it ends as it says, and as its comments say if it is changed`() throws {
        #expect(try LabRunner(text).outcomes() == [.completed])
        let unlocked = text.replacing("lock m { count += 1 }", with: "count += 1")
        #expect(try LabRunner(unlocked).outcomes() == [.race, .assertion])
        let never = text.replacing("lock m { count += 1 }", with: "m.lock()\ncount += 1")
        #expect(try LabRunner(never).outcomes() == [.deadlock])
    }
}
