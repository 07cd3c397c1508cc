import Authoring
import Scenarios
import Support
import Testing

/// The table of proofs in docs/exploration.md, which `make proofs` writes.
@Suite struct ProofTableTests {
    /// The names in the first table of the section: `scenario/variant`.
    private static let rows: [String] = {
        let text = Repository.text(of: "docs/exploration.md") ?? ""
        let section = text.split(separator: "## What is proved\n").last ?? ""
        let table = section.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }.dropFirst(2)
        var scenario = ""
        return table.flatMap { row in
            let cells = row.split(separator: "|").map { cell in
                cell.matches(of: /`([^`]+)`/).map { String($0.output.1) }
            }
            scenario = cells[0].first ?? scenario
            return cells[1].map { "\(scenario)/\($0)" }
        }
    }()

    private static let variants: [String] = Catalogue.builtIn.filter { $0.realThreadsOnly == nil }.flatMap { type in
        choices(of: type).map { "\(type.name)/\($0.word)" }
    }

    private static func choices<Program: Scenario>(of type: Program.Type) -> [ParameterForm.Choice] {
        if case .choice(let choices) = Program.Variant.form { choices } else { [] }
    }

    @Test func `it has each variant that can be searched, once, and nothing else`() {
        #expect(Self.rows.count > 100)
        #expect(Self.rows.sorted() == Self.variants.sorted())
    }
}
