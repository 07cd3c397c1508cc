import Support
import Testing

/// What `docs/weak-memory.md` and `Tests/Goldens/verdicts.md` say that programs can do under each memory model, compared
/// with what the programs expect, which `threadlab check scenarios` proves.
@Suite struct VerdictTableTests {
    /// `| `name` | outcome | sc | tso | rc11 |`, perhaps with another column.
    private struct Row {
        let name: String
        let outcome: String
        let verdicts: [String]

        init?(_ line: Substring) {
            let cells = line.replacing("\\|", with: "\u{1}").split(separator: "|").map {
                String($0.replacing("\u{1}", with: "|").replacing(/^ +| +$/, with: ""))
            }
            guard cells.count >= 5, cells[0].hasPrefix("`") else { return nil }
            name = cells[0].replacing("`", with: "")
            outcome = cells[1].replacing("`", with: "")
            verdicts = Array(cells[2...4])
        }
    }

    private let rows: [Row] = {
        let page = Repository.text(of: "docs/weak-memory.md") ?? ""
        let tables = page.split(separator: "<!-- verdicts -->").last?.split(separator: "<!-- verdicts end -->").first
        let ofLitmusTests = Repository.text(of: "Tests/Goldens/verdicts.md") ?? ""
        return (String(tables ?? "") + ofLitmusTests).split(separator: "\n").compactMap(Row.init)
    }()

    @Test func `each verdict is what the program expects`() throws {
        #expect(rows.count > 60 && Set(rows.map(\.name)).count == rows.count)
        // Both tables are read.
        #expect(Set(rows.map(\.name)).isSuperset(of: ["store-buffering", "cas-stale"]))
        for row in rows {
            let path = "scenarios/weak-memory/\(row.name).lab"
            let text = try #require(Repository.text(of: path), "there is no \(path)")
            let verdicts = ["sc", "tso", "rc11"].map { isAllowed(row.outcome, text, under: $0) ? "yes" : "no" }
            #expect(row.verdicts == verdicts, "\(row.name)")
        }
    }

    /// What the claim about the outcome says; if there is none, whether the program promises a failure.
    private func isAllowed(_ outcome: String, _ text: String, under model: String) -> Bool {
        let claims = text.split(separator: "\n").compactMap { line -> Substring? in
            if line.hasPrefix("expect under ") {
                return line.hasPrefix("expect under \(model) ") ? line.dropFirst("expect under \(model) ".count) : nil
            }
            return model == "sc" && line.hasPrefix("expect ") ? line.dropFirst("expect ".count) : nil
        }
        if claims.contains("sometimes \(outcome)") || claims.contains("broken never \(outcome)") { return true }
        if claims.contains("never \(outcome)") { return false }
        return claims.contains { $0.hasPrefix("broken ") || $0 != "completes" && $0.wholeMatch(of: /[a-z, -]+/) != nil }
    }
}
