import Support
import Testing

/// The rows of docs/foundation.md, in their order: what Foundation does, in a process of its own.
@Suite struct FoundationTests {
    static let rows: [(word: String, ends: String, says: String)] = [
        ("condition-lock", "the process ends with an illegal instruction", ""),
        ("far-deadline", "the process ends with an illegal instruction", ""),
        ("timer", "the first fire is planned for now", "at once"),
        ("name", "lost", "lost"),
        ("long-name", "lost", "lost"),
        ("perform", "does not wake the loop, and nothing public does", "timer, call"),
        ("notice", "never posted", "0"),
        ("stack-size", "ignored", "unchanged"),
        ("unlock", "accepted", "accepted"),
        ("condition-unlock", "accepted", "accepted"),
    ]

    private static let cells = (Repository.text(of: "docs/foundation.md") ?? "").split(separator: "\n")
        .filter { $0.hasPrefix("| ") }.dropFirst()
        .map { $0.split(separator: "|").map { $0.trimmingPrefix(" ") } }

    @Test(arguments: rows.indices) func `Foundation does what the page says`(index: Int) throws {
        let row = Self.rows[index]
        let page = try #require(Self.cells.dropFirst(index).first)
        #expect(page[1] == row.ends + " ")
        let ended = try Invocation(program: Programs.foundation, arguments: [row.word]).run()
        if row.says.isEmpty {
            // A trap: SIGILL or, on arm64, SIGTRAP.
            #expect(ended.signal == 4 || ended.signal == 5)
        } else {
            #expect(ended.output == row.says + "\n")
        }
    }

    @Test func `every row is held by a test`() { #expect(Self.cells.count == Self.rows.count) }
}
