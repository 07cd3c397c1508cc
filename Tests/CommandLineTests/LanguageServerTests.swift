import Support
import Testing
import Trace

/// `threadlab lsp`, as an editor that writes everything at once. What takes its time is in Tests/Screen/editors.py.
@Suite struct LanguageServerTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func serve(_ input: String) throws -> Ended {
        let path = try directory.write("messages", Array(input.utf8))
        return try threadlab("lsp").reading(from: path).run()
    }

    private static func framed(_ json: String) -> String { "Content-Length: \(json.utf8.count)\r\n\r\n\(json)" }

    private static func request(_ id: Int, _ method: String, _ parameters: String = "{}") -> String {
        framed(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"#)
    }

    private static func notification(_ method: String, _ parameters: String = "{}") -> String {
        framed(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(parameters)}"#)
    }

    private static let begin = request(1, "initialize", #"{"capabilities":{}}"#) + notification("initialized")
    private static let end = request(99, "shutdown") + notification("exit")

    private static func open(_ text: String) -> String {
        let written = ByteSink.collect { text.write(json: &$0) }
        return notification(
            "textDocument/didOpen",
            #"{"textDocument":{"uri":"untitled:1","languageId":"lab","version":1,"text":\#(written)}}"#)
    }

    private static func at(_ line: Int, _ character: Int, _ more: String = "") -> String {
        #"{"textDocument":{"uri":"untitled:1"},"position":{"line":\#(line),"character":\#(character)}\#(more)}"#
    }

    private static let program = """
        scenario "twö 😀"
        mutex a
        thread t { lock a { note "😀" } }
        thread s { lock a { note "😀"; let x = 1; assert x == 1 } }
        """

    @Test func `a session begins, answers and ends`() throws {
        let ended = try serve(Self.begin + Self.end).exits(with: 0)
        ended.prints(#""hoverProvider":true"#).prints(#"{"jsonrpc":"2.0","id":99,"result":null}"#)
        #expect(ended.errors.isEmpty)
    }

    @Test func `errors have their places, and what to write instead`() throws {
        try serve(Self.begin + Self.open("scenario \"x\"\nmutex m\nthread t { m.lokc() }\n") + Self.end).exits(with: 0)
            .prints(#""severity":1,"source":"threadlab""#).prints("did you mean 'lock'?").prints(
                #""start":{"line":2,"character":13}"#)
    }

    @Test func `positions count the units of UTF-16`() throws {
        let query = Self.request(2, "textDocument/definition", Self.at(3, 49))
        try serve(Self.begin + Self.open(Self.program) + query + Self.end).exits(with: 0).prints(
            #""id":2,"result":{"uri":"untitled:1","range":{"start":{"line":3,"character":35},"end":{"line":3,"character":36}}}"#
        )
    }

    @Test func `an editor that prefers UTF-8 gets it`() throws {
        let begin = Self.request(
            1, "initialize", #"{"capabilities":{"general":{"positionEncodings":["utf-16","utf-8"]}}}"#)
        let query = Self.request(2, "textDocument/definition", Self.at(3, 51))
        try serve(begin + Self.open(Self.program) + query + Self.end).exits(with: 0).prints(
            #""positionEncoding":"utf-8""#
        ).prints(#""start":{"line":3,"character":37}"#)
    }

    @Test func `what cannot be done is refused with a reason, and the session goes on`() throws {
        let queries =
            Self.request(2, "textDocument/rename", Self.at(1, 6, #","newName":"lock""#))
            + Self.request(3, "textDocument/hover", #"{"textDocument":{"uri":"untitled:2"}}"#)
            + Self.request(4, "no/such") + Self.request(5, "initialize") + Self.framed("{")
            + Self.framed("[]") + Self.notification("no/such")
            + Self.request(6, "textDocument/hover", Self.at(900, 900))
        let ended = try serve(Self.begin + Self.open(Self.program) + queries + Self.end).exits(with: 0)
        ended.prints("'lock' is a word of the language").prints(#""code":-32602"#).prints(#""code":-32601"#)
        ended.prints(#""code":-32600"#).prints(#""code":-32700"#).prints(#""id":6,"result":null"#)
    }

    @Test func `before the beginning and after the end there are no answers`() throws {
        let early = Self.request(7, "textDocument/hover")
        let late = Self.request(8, "textDocument/hover")
        let ended = try serve(early + Self.begin + Self.request(99, "shutdown") + late + Self.notification("exit"))
        ended.exits(with: 0).prints(#""id":7,"error":{"code":-32002"#).prints(#""id":8,"error":{"code":-32600"#)
    }

    @Test(arguments: [
        ("hello, world\r\n\r\n", "a header has no Content-Length"),
        ("Content-Length: 999999999\r\n\r\n", "at most 8 MiB"),
        ("Content-Length: -1\r\n\r\n", "at most 8 MiB"),
        ("Content-Length: 10\r\n\r\n{}", "ends in the middle of a message"),
        ("Content-Len", "ends in the middle of a header"), (String(repeating: "x", count: 5000), "there is no header"),
    ])
    func `input that is no protocol is named`(_ input: String, _ reason: String) throws {
        try serve(input).exits(with: 2).complainsInOneLine(about: reason)
    }

    @Test func `an editor that is gone ends it`() throws {
        try serve("").exits(with: 0)
        try serve(Self.begin).exits(with: 2).complainsInOneLine(about: "without 'shutdown'")
        try serve(Self.begin + Self.notification("exit")).exits(with: 2).complainsInOneLine(about: "without 'shutdown'")
        try serve(Self.begin + Self.request(99, "shutdown")).exits(with: 0)
    }
}
