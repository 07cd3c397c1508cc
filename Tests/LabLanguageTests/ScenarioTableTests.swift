import Support
import Testing

/// What `scenarios/README.md` says about the programs, compared with the programs.
@Suite struct ScenarioTableTests {
    private struct Row {
        var path: String
        var end: String
        var fixed: [String]

        /// `| [a](folder/a.lab) | what happens | deadlock | [b](folder/b.lab), [c](folder/c.lab) |`
        init?(_ line: Substring) {
            let cells = line.split(separator: " | ", omittingEmptySubsequences: false)
            guard cells.count == 4, let path = Self.links(cells[0]).first else { return nil }
            self.path = path
            end = String(cells[2])
            fixed = Self.links(cells[3])
        }

        private static func links(_ text: Substring) -> [String] {
            text.matches(of: /\[([a-z-]+\/)?[a-z0-9-]+\]\(([a-z-]+\/[a-z0-9-]+\.lab)\)/).map { String($0.output.2) }
        }
    }

    private let rows = (Repository.text(of: "scenarios/README.md") ?? "").split(separator: "\n").compactMap(Row.init)

    /// As the table says it: under sequential consistency, or under the strongest model under which it fails.
    private func end(of path: String) throws -> String {
        let text = try #require(Repository.text(of: "scenarios/\(path)"), "there is no \(path)")
        for (model, words) in [("(?:under sc )?", ""), ("under tso ", " under tso"), ("under rc11 ", " under rc11")] {
            let expectation = try Regex("(?m)^expect \(model)(broken (?:always|never) |[a-z, -]+?(?= *(?://.*)?$))")
            let ends = text.matches(of: expectation).compactMap { $0.output[1].range.map { String(text[$0]) } }
            let others = ["under ", "always ", "never ", "sometimes ", "possible ", "eventually ", "linearizable"]
            let failures = ends.filter { end in end != "completes" && !others.contains(where: end.hasPrefix) }
            if let end = failures.first { return (end.hasPrefix("broken ") ? "broken-claim" : end) + words }
        }
        return "completes"
    }

    @Test func `every program is listed once, alone or as what fixes another`() {
        let files = Repository.paths(in: "scenarios", ending: ".lab").map { String($0.dropFirst("scenarios/".count)) }
        let own = rows.map(\.path)
        #expect(Set(own).count == own.count)
        #expect(Set(own + rows.flatMap(\.fixed)) == Set(files))
    }

    @Test func `each ends as it says, and what fixes it completes`() throws {
        for row in rows {
            #expect(try end(of: row.path) == row.end, "\(row.path)")
            for path in row.fixed { #expect(try end(of: path) == "completes", "\(path)") }
        }
    }
}
