import LabExecution
import LabProgram
import LabSyntax
import Testing

/// Whatever a file contains, reading it ends soon, with a message.
@Suite struct LimitsTests {
    private static let head = "scenario \"x\"\nshared x = 0\n"

    private func firstError(_ program: String) -> String? {
        let reading = SourceText(name: "x.lab", program).read()
        #expect(reading.diagnostics.filter { $0.severity == .error }.count <= Limits.errors + 1)
        return reading.diagnostics.first { $0.severity == .error }?.message
    }

    @Test(arguments: ["a", "{", "\n", "\"", "\u{0}"])
    func `a file of 10 MiB is rejected for its size`(filling: String) {
        let source = SourceText(name: "x.lab", String(repeating: filling, count: 10 << 20))
        let diagnostics = source.read().diagnostics
        #expect(diagnostics.count == 1)
        #expect(
            diagnostics.first?.text(in: source)
                == "x.lab: error: the file has 10485760 bytes; a .lab file has at most 1048576")
    }

    @Test(arguments: ["a ", "{", "}", "\n", "\"\n", "thread a { x = 1 }\n", "("])
    func `the largest file is read in time`(filling: String) {
        let count = ((1 << 20) - Self.head.utf8.count) / filling.utf8.count
        #expect(firstError(Self.head + String(repeating: filling, count: count)) != nil || filling == "\n")
    }

    @Test(
        arguments: [
            ("if x == 1 { ", " }"), ("while true { ", " }"), ("x = (", ""), ("x = -", ""), ("x = ~(", ")"),
            ("x = ![", "]"),
            ("x = x[", "]"), ("lock m { ", " }"), ("{", "}"), ("x = choose(", ")"), ("note \"\\(", ")\""),
        ])
    func `nesting of 100,000 is refused`(open: String, close: String) {
        let count = 100_000
        let opening = open.hasPrefix("x = ") ? "x = " + String(repeating: String(open.dropFirst(4)), count: count) : nil
        let body = (opening ?? String(repeating: open, count: count)) + "1" + String(repeating: close, count: count)
        #expect(firstError(Self.head + "thread a { " + body + " }") != nil)
    }

    @Test func `deep nesting is rejected with its limit`() {
        let body = String(repeating: "(", count: 300) + "1" + String(repeating: ")", count: 300)
        #expect(firstError(Self.head + "thread a { x = \(body) }") == "this is nested more than 200 levels deep")
    }

    @Test(arguments: ["+ 1 ", "&& true ", "== 1 ", ".a", "[0]", "<< 1 "])
    func `an expression of 100,000 operators is refused`(link: String) {
        let body = "x = 1 " + String(repeating: link, count: 100_000)
        #expect(firstError(Self.head + "thread a { \(body) }") != nil)
    }

    @Test func `what is allowed to be long may be long`() {
        let elses = String(repeating: "else if x == 2 { x = 3 }\n", count: 10_000)
        #expect(firstError(Self.head + "thread a { if x == 1 { }\n\(elses) }") == nil)
        let statements = String(repeating: "x += 1; ", count: 50_000)
        #expect(firstError(Self.head + "thread a { \(statements) }") == nil)
    }

    @Test func `the work of warnings does not grow with every level`() {
        let loops = String(repeating: "while true { ", count: 150) + "x = x" + String(repeating: " }", count: 150)
        #expect(firstError(Self.head + "thread a { \(loops) }") == nil)
        let calls = (0..<200).map { "func f\($0)() { f\($0 + 1)(); f\($0 + 1)() }\n" }.joined()
        #expect(firstError(Self.head + calls + "func f200() { x = 1 }\nthread a { f0() }") == nil)
        let unknown = (0..<2000).map { "mutex m\($0)\n" }.joined() + "shared y\nthread a { "
        #expect(firstError(Self.head + unknown + String(repeating: "zz = zzz\n", count: 20_000) + "}") != nil)
    }

    /// Each function calls the next one twice, so there are 2²⁰⁰ ways through the calls.
    @Test func `what is asked of all ways through the code is answered without following each`() throws {
        let calls = (0..<200).map { "func f\($0)() { f\($0 + 1)(); f\($0 + 1)() }\n" }.joined()
        let rest = "func f200() { x = 1 }\nthread a { while true { f0() } }\nthread b { yield }"
        let program = try #require(SourceText(name: "x.lab", Self.head + calls + rest).read().program)
        #expect(!program.hasProgress)
        _ = try program.compiled()
        let layers = (0..<100).map { layer in
            let next = "join a\(layer + 1); join b\(layer + 1)"
            return "thread a\(layer) { \(next) }\nthread b\(layer) { \(next) }\n"
        }
        #expect(firstError(Self.head + layers.joined() + "thread a100 { x = 1 }\nthread b100 { join a100 }") == nil)
    }

    @Test func `more lines than an instruction can name are refused`() {
        let lines = String(repeating: "\n", count: 65_534)
        #expect(
            firstError(Self.head + lines + "thread a { x = 1 }")
                == "the file has 65537 lines; a .lab file has at most 65535")
        #expect(firstError(Self.head + lines.dropLast(2) + "thread a { x = 1 }") == nil)
    }

    @Test func `names and texts have a limit`() {
        let name = String(repeating: "n", count: 101)
        #expect(firstError("scenario \"x\"\nmutex \(name)") == "a name has at most 100 bytes")
        let text = String(repeating: "t", count: 1000)
        #expect(firstError(Self.head + "thread a { note \"\(text)\" }") == "a text has at most 1000 bytes")
    }

    @Test func `declarations have a limit`() {
        let parameters = (0..<40).map { "parameter p\($0) = 1\n" }.joined()
        #expect(firstError("scenario \"x\"\n\(parameters)") == "a program has at most 32 parameters")
        let variables = (0..<300).map { "var v\($0) = x\n" }.joined()
        #expect(firstError(Self.head + "thread a { \(variables) }") == "a thread has at most 256 variables")
        let functions = (0..<18).map { number in
            let own = (0..<240).map { "var v\($0) = x\n" }.joined()
            return "func f\(number)() {\n\(own)\(number < 17 ? "f\(number + 1)()" : "")\n}\n"
        }
        #expect(
            firstError(Self.head + functions.joined() + "thread a { f0() }")
                == "a thread and the functions that it calls have at most 4096 variables at once")
        let cells = (0..<5).map { "shared a\($0)[1000] = 0\n" }.joined()
        #expect(firstError("scenario \"x\"\n\(cells)") == "a program has at most 4096 variables, locks and so on")
    }

    @Test func `of many errors the first are reported`() {
        let statements = String(repeating: "x = y\n", count: 1000)
        let reading = SourceText(name: "x.lab", Self.head + "thread a {\n\(statements)}").read()
        #expect(reading.diagnostics.count == Limits.errors + 1)
        #expect(reading.diagnostics.last?.message == "too many errors; the rest are not shown")
    }
}
