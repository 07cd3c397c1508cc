import Glibc
import Support
import Testing
import Trace

@Suite("docs/trace-format.md")
struct TraceFormatDocumentTests {
    let text: String

    init() throws {
        let path = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined() + "/docs/trace-format.md"
        text = try #require(Self.contents(of: path))
    }

    @Test("has a row for every kind of event, with the meaning of its value", arguments: EventKind.allCases)
    func kind(_ kind: EventKind) {
        let value = kind.meaning == .none ? "" : "\(kind.meaning) "
        #expect(text.contains("| `\(kind.name)` | \(value)| "))
    }

    @Test("marks the kinds that block", arguments: EventKind.allCases)
    func blocking(_ kind: EventKind) throws {
        let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("| `\(kind.name)` |") })
        #expect(row.contains("*Blocks*") == kind.blocks)
    }

    @Test("names every misuse, object and outcome")
    func words() {
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
