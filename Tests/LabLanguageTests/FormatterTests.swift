import Support
import Testing

@testable import LabSyntax

@Suite struct FormatterTests {
    private static let written = RightPrograms.all + WrongPrograms.all + DoubtfulPrograms.all
    private static let run =
        (SampleProgram.all + SampleProgram.corners).map(\.text) + Repository.files(in: "scenarios", ending: ".lab")
    static let all = (written + run).map(Sample.init)

    @Test(arguments: all)
    func `the formatter keeps what the text means, and its comments`(sample: Sample) {
        guard let formatted = try? sample.source.formatted() else { return }
        let again = SourceText(name: "test.lab", formatted)
        #expect(again.parsed().parser.diagnostics.errors.isEmpty)
        #expect(Outline.of(sample.source.parsed().file as Any) == Outline.of(again.parsed().file as Any))
        #expect(comments(sample.source) == comments(again))
    }

    @Test(arguments: all)
    func `the formatter changes nothing the second time`(sample: Sample) {
        guard let formatted = try? sample.source.formatted() else { return }
        #expect(try! SourceText(name: "test.lab", formatted).formatted() == formatted)
    }

    private func comments(_ source: SourceText) -> [String] {
        source.parsed().parser.comments.map { source.text($0.span) }
    }

    @Test func `a text differs in the first line that is not the same`() {
        func difference(_ text: String, _ canonical: String) -> [String?]? {
            FormDifference(between: Array(text.utf8), and: canonical).map { ["\($0.line)", $0.present, $0.canonical] }
        }
        #expect(difference("a\nb\n", "a\nb\n") == nil)
        #expect(difference("a\nb \nc\n", "a\nb\nd\n") == ["2", "b ", "b"])
        #expect(difference("a\n\n", "a\n") == ["3", "", nil])
        #expect(difference("a", "a\n") == ["2", nil, ""])
        #expect(difference("a\r\n", "a\n") == ["1", "a\r", "a"])
        // As Swift compares strings, these would be the same.
        #expect(difference("e\u{301}\n", "\u{E9}\n") == ["1", "e\u{301}", "\u{E9}"])
    }

    @Test func `the formatter rejects what is not well-formed`() {
        #expect(throws: Unformatted.self) { try SourceText(name: "x", "scenario \"x\"\nmutex").formatted() }
    }

    @Test(
        arguments: [
            ("mutex a ,b;", "mutex a, b"),
            ("shared a[ 3 ]=[-1 ,- 2],b=[ ]", "shared a[3] = [-1, -2], b = []"),
            ("shared x=-(- -1)", "shared x = -(- -1)"),
            ("barrier b ( 2 )", "barrier b(2)"),
            ("latch l[2] ( 2 ) ,k (n)", "latch l[2](2), k(n)"),
            ("once  o ,p [2]", "once o, p[2]"),
            ("parameter n=1 in 0 ... 3", "parameter n = 1 in 0...3"),
            ("parameter p:Duration=10ms", "parameter p: Duration = 10ms"),
            ("func f ( a:Int,b )->Int{return a-b}", "func f(a: Int, b) -> Int { return a - b }"),
            (
                "thread t [2]{m . lock( for:1ms );x=!( a==1 )&&b}",
                "thread t[2] { m.lock(for: 1ms); x = !(a == 1) && b }"
            ),
            ("thread t {}", "thread t { }"),
            ("thread t\n{\nx=1;\n\n\ny=2 }", "thread t {\n    x = 1\n\n    y = 2\n}"),
            (
                "thread t { if a{b()}\nelse\nif c {d()} else\n{ e() } }",
                "thread t {\n    if a { b() } else if c { d() } else { e() }\n}"
            ),
            ("thread t {\nx = a +\nb\ny = a\n- b\n}", "thread t {\n    x = a +\n        b\n    y = a\n        - b\n}"),
            ("expect lock-order,race", "expect lock-order, race"),
            ("expect  warning held-too-long,TL402", "expect warning held-too-long, TL402"),
            ("run a-b(c-d:1,e:f-g)", "run a-b(c-d: 1, e: f-g)"),
            ("mutex a //x\nsemaphore long=1 //  y", "mutex a             //x\nsemaphore long = 1  //  y"),
            ("thread t { // why\n// what\nx=1 }", "thread t {  // why\n    // what\n    x = 1\n}"),
            ("expect outcomes{x==1;y==2}", "expect outcomes { x == 1; y == 2 }"),
            ("thread t { choose (3);note (\"x\") }", "thread t { choose(3); note(\"x\") }"),
            ("thread t { x = 1;\n-y }", "thread t {\n    x = 1;\n    -y\n}"),
        ])
    func `the formatter writes the canonical form`(text: String, expected: String) throws {
        let head = "scenario \"x\"\n"
        #expect(try SourceText(name: "x", head + text).formatted() == head + expected + "\n")
    }
}
