import Support
import Testing

/// The demonstration of `docs/cards.md` shows what its commands print. `make goldens` writes the page.
@Suite struct CardTests {
    static let page = "docs/cards.md"

    /// The page with what each `$` command prints now.
    private func printed(_ page: String) throws -> String {
        var lines: [String] = []
        var isCode = false
        // Whether lines are what the last command printed when the page was written.
        var isOld = false
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isCode.toggle()
                isOld = false
            }
            let isCommand = isCode && line.hasPrefix("$ threadlab ")
            if isOld && !isCommand { continue }
            lines.append(String(line))
            guard isCommand else { continue }
            isOld = true
            let words = line.dropFirst("$ threadlab ".count).split(separator: " ").map(String.init)
            let output = try Invocation(program: Programs.threadlab, arguments: words).run().succeeds().output
            lines += output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        }
        return lines.joined(separator: "\n")
    }

    @Test func `the demonstration shows what its commands print`() throws {
        let page = try #require(Repository.text(of: Self.page))
        try Goldens.compare(Self.page, try printed(page))
    }

    @Test func `the demonstration shows the four classics, each with a failure and a cure`() throws {
        let page = try #require(Repository.text(of: Self.page))
        for scenario in ["producer-consumer", "deadlock", "cancellation", "shutdown"] {
            #expect(page.contains("$ threadlab explore \(scenario) --variant "), "\(scenario)")
        }
        #expect(page.split(separator: "\n").count { $0.contains("proved: ") } >= 4)
        #expect(page.split(separator: "\n").count { $0.contains("  Replay: threadlab ") } >= 4)
    }
}
