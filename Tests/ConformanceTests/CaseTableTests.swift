import Support
import Testing

/// The table of all cases, which `make goldens` writes, and what docs/semantics.md says of them.
@Suite struct CaseTableTests {
    private static let path = "\(GoldenFile.folder)/cases.md"

    private static var text: String {
        """
        # What the primitives promise

        Every case of `Tests/ConformanceTests`, which runs each under the scheduler and on real threads. `make goldens` writes \
        this page. [docs/semantics.md](../../docs/semantics.md) has what a user has to know. A case completes if the table says \
        nothing else; of several endings, each occurs under some schedule. *Scheduler*: real threads cannot show it.

        """ + Case.chapters.map { chapter(titled: $0.title, $0.cases) }.joined()
            + """

            ## What cannot occur

            Cases of other test suites.

            | case | why |
            |---|---|

            """ + Case.impossible.sorted { $0.key < $1.key }.map { "| \($0) | \($1) |\n" }.joined()
    }

    private static func chapter(titled title: String, _ cases: [Case]) -> String {
        """

        ## \(title)

        | case | what holds | how it ends | remark |
        |---|---|---|---|

        """
            + cases.map { example in
                let isUsual = example.endings == [.completed]
                let endings = isUsual ? "" : example.endings.map(\.description).sorted().joined(separator: ", ")
                let place = example.runsOnRealThreads ? "" : "*Scheduler.* "
                let remark = place + (Case.remarks[example.id] ?? "")
                return "| \(example.id) | \(example.sentence) | \(endings) | \(remark) |\n"
            }.joined()
    }

    @Test func `the table of cases has each of them, with its endings`() throws {
        guard let difference = GoldenFile.difference(of: Self.path, Self.text) else { return }
        guard GoldenFile.areWritten else {
            Issue.record(Comment(rawValue: difference))
            return
        }
        try GoldenFile.write(Self.path, Self.text)
        Issue.record("\(Self.path): written, not compared", severity: .warning)
    }

    @Test func `each remark is about a case`() {
        #expect(Set(Case.remarks.keys).subtracting(Case.all.map(\.id)) == [])
        #expect(Set(Case.impossible.keys).isDisjoint(with: Case.all.map(\.id)))
    }

    @Test func `each case that the page about semantics names exists`() throws {
        let page = try #require(Repository.text(of: "docs/semantics.md"))
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let named = rows.flatMap { row in
            (row.split(separator: "|").first ?? "").matches(of: /`([A-Z][A-Za-z0-9-]+)`/).map { String($0.output.1) }
        }
        #expect(named.count > 60)
        #expect(Set(named).subtracting(Case.all.map(\.id)) == [])
    }
}
