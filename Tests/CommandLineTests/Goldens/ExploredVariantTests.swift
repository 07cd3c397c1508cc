import FoundationEssentials
import Support
import Testing

/// Every variant of every scenario, searched: the broken ones fail, and the fixed ones are proved. Which schedule is the
/// shortest, and how many traces a proof has, is data.
@Suite struct ExploredVariantTests {
    private struct Report: Decodable {
        var conclusion: String
        /// Of traces.
        var total: Int?
        var findings: [Finding]

        struct Finding: Decodable {
            var outcome: String
            var confirmed: Bool
            var expected: Bool
            var preemptions: Int
            var steps: Int
            var minimal: String?
            var schedule: String
            var account: [Step]
        }

        struct Step: Decodable {
            var thread: String
            var step: String
            var line: Int?
            var role: String

            var text: String { "\(role == "cause" ? "" : "\(role) ")\(thread): \(step)\(line.map { " :\($0)" } ?? "")" }
        }
    }

    private func explore(_ words: String) throws -> Report {
        let arguments =
            ["explore"] + words.split(separator: " ").map(String.init) + ["--format", "json", "--time", "1h"]
        let output = try Invocation(program: Programs.threadlab, arguments: arguments).run().succeeds().output
        return try JSONDecoder().decode(Report.self, from: Data(output.utf8))
    }

    @Test(arguments: Extent.part(of: VariantCall.broken, every: 3))
    func `a broken variant fails, with the shortest schedule that there is`(variant: VariantCall) throws {
        let report = try explore(variant.words)
        #expect(report.conclusion == "finding")
        let finding = try #require(report.findings.first { $0.outcome == variant.outcome?.rawValue })
        #expect(finding.confirmed && finding.expected && finding.minimal == "steps")
        try GoldenTable.schedules.compare(
            variant.words, ["\(finding.preemptions)", "\(finding.steps)", finding.schedule])
        #expect(finding.account.contains { $0.role == "fault" })
        try GoldenTable.accounts.compare(variant.words, [finding.account.map(\.text).joined(separator: " | ")])
    }

    @Test(arguments: Extent.part(of: VariantCall.fixed, every: 5)) func `a fixed variant is proved`(
        variant: VariantCall
    ) throws {
        let words = variant.words
        let report = try explore(words)
        #expect(report.conclusion == "proved")
        let traces = try #require(report.total)
        if GoldenTable.sizes.programs.contains(words) {
            try GoldenTable.sizes.compare(words, ["\(traces)"])
        } else {
            #expect(try SearchedVariants.all.get().first { $0.program == words }?.traces == traces)
        }
    }
}
