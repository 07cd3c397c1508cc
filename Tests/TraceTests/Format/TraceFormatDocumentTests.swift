import Glibc
import Support
import Testing
import Trace

@Suite struct TraceFormatDocumentTests {
    let text: String

    init() throws {
        let path = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined() + "/docs/trace-format.md"
        text = try #require(Self.contents(of: path))
    }

    @Test(arguments: EventKind.allCases)
    func `the document has the line of each kind of event: name, value, what happened`(_ kind: EventKind) throws {
        let start = "- `\(kind.name)`"
        let line = try #require(
            text.split(separator: "\n").first { $0.hasPrefix(start + ":") || $0.hasPrefix(start + " (") })
        let value = kind.meaning == .none ? "" : " (\(kind.meaning))"
        let explanation = "\(kind.row.explanation)"
        let begin = kind.blocks ? "*Blocks*: " + explanation.prefix(1).lowercased() : explanation.prefix(1)
        #expect(line == "\(start)\(value): \(begin)\(explanation.dropFirst())")
    }

    @Test func `the document has the line of each remark of threadlab's own objects`() {
        let sources = Repository.files(in: "Sources/Primitives", ending: ".swift")
        let pattern = #/Remark\(\s*"([a-z.-]+)",\s*"[^"]+"(?:, value: \.([a-z]+))?[^"]*says:\s*"([^"]+)"/#
        let remarks = sources.flatMap { $0.matches(of: pattern).map(\.output) }
        #expect(remarks.count > 30)
        for (_, name, value, says) in remarks {
            let meaning = value.map { " (\($0))" } ?? ""
            #expect(text.contains("- `\(name)`\(meaning): \(says)\n"), "\(name)")
        }
        let declared = sources.reduce(0) { $0 + $1.matches(of: #/= Remark\(/#).count }
        #expect(declared == remarks.count + 1, "one is an example in a comment")
    }

    @Test func `the document names every misuse, object and outcome`() {
        let words =
            MisuseKind.allCases.map(\.identifier) + ObjectKind.allCases.map(\.rawValue)
            + OutcomeKind.allCases.map(\.rawValue)
        #expect(words.filter { !text.contains("`\($0)`") } == [])
    }

    private static func contents(of path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = getc(file), byte != EOF { bytes.append(UInt8(byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
