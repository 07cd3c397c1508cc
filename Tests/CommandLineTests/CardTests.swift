import Support
import Testing

/// The demonstration of `docs/cards.md`. `make goldens` writes what its commands print: one of them in the page, all in a golden
/// file.
@Suite struct CardTests {
    private static let page = "docs/cards.md"
    private static let golden = "Tests/Goldens/demonstration.md"
    private static let width = " --width 100"

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

    @Test(arguments: [page, golden]) func `what the commands print is as it is shown`(file: String) throws {
        let text = try #require(Repository.text(of: file))
        try Goldens.compare(file, try printed(text))
    }

    @Test func `the demonstration shows the four classics, each with a failure and a cure`() throws {
        let golden = try #require(Repository.text(of: Self.golden))
        for scenario in ["producer-consumer", "deadlock", "cancellation", "shutdown"] {
            #expect(golden.contains("$ threadlab explore \(scenario) --variant "), "\(scenario)")
        }
        #expect(golden.split(separator: "\n").count { $0.contains("proved: ") } >= 4)
        #expect(golden.split(separator: "\n").count { $0.contains("  Replay: threadlab ") } >= 4)
    }

    @Test func `the page has the commands whose output is shown, and no other search`() throws {
        func commands(of file: String) throws -> Set<String> {
            let text = try #require(Repository.text(of: file))
            return Set(CommandLines.inBlocks(of: text).map { $0.replacing(Self.width, with: "") })
        }
        let (shown, typed) = (try commands(of: Self.golden), try commands(of: Self.page))
        #expect(shown.isSubset(of: typed))
        #expect(typed.subtracting(shown).allSatisfy { $0.hasSuffix(" --native") || $0 == "threadlab explain deadlock" })
    }
}
