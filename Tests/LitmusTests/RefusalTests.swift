import LabSyntax
import Testing

@testable import Litmus

@Suite struct `Programs that litmus refuses` {
    @Test(arguments: [
        ("semaphore s\nthread t { s.wait() }", "litmus does not support semaphores", 3),
        ("shared l = []\nthread t { l.append(1) }", "litmus does not support lists", 3),
        ("shared l = []\nthread t { assert l == [1] }", "litmus does not support lists", 3),
        ("recursive mutex m\nthread t { lock m {} }", "litmus does not support recursive mutexes", 3),
        ("checking mutex m\nthread t { lock m {} }", "litmus does not support checking mutexes", 3),
        ("rwlock l\nthread t {\nreading l {} }", "litmus does not support read-write locks", 4),
        ("mutex m\ncondition c with m\nthread t { c.signal() }", "litmus does not support conditions", 4),
        ("mutex m\nthread t { if m.lock(for: 1ms) { m.unlock() } }", "litmus does not support time limits", 3),
        ("barrier b(1)\nthread t { b.wait() }", "litmus does not support a barrier", 3),
        ("once o\nthread t { once o {} }", "litmus does not support a once", 3),
        ("thread t { sleep 1ms }", "litmus does not support 'sleep'", 2),
        ("thread t { spawn u }\nthread u { yield }", "litmus does not support 'spawn'", 2),
        ("thread t { join u }\nthread u { yield }", "litmus does not support 'join'", 2),
        ("thread t { detach u }\nthread u { yield }", "litmus does not support 'detach'", 2),
        ("thread t[33] { yield }", "litmus runs at most 32 threads, and the program has 33", 2),
        (
            "shared x[33] = 0\nthread t { x[0] = 1 }",
            "litmus distinguishes outcomes by at most 32 values, and the program has 33", 2
        ),
        (
            "shared x[1024] = 0, y[1024] = 0\nthread t[2] { x[0] = y[index] }\nexpect race\nexpect sometimes y[0] == 0",
            "litmus needs 131072 bytes for the shared memory of the program, and has 65536", 2
        ),
    ])
    func `The reason and the line are named`(text: String, message: String, line: Int) throws {
        let error = try #require(throws: Diagnostic.self) { try litmus(text) }
        let source = SourceText(name: "test.lab", "scenario \"test\"\n" + text)
        #expect(error.message == message)
        #expect(source.site(of: error.span.start).line == line)
    }

    @Test func `Functions that call each other twice are not copied without end`() throws {
        let functions = (1..<64).map { "func f\($0)() { f\($0 - 1)(); f\($0 - 1)() }" }.joined(separator: "\n")
        let error = try #require(throws: Diagnostic.self) {
            try litmus("shared x = 0\nfunc f0() { x += 1 }\n\(functions)\nthread t { f63() }")
        }
        #expect(error.message.contains("too much code"))
    }
}
