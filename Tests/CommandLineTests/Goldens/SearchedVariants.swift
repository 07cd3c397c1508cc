import Authoring
import FoundationEssentials
import Scenarios
import Testing

/// Each variant that can be searched with its default parameters, and what all of its traces without spurious wake-ups end in: one `check`.
///
/// With a wake-up, those that fail have up to 15 times as many.
enum SearchedVariants {
    struct Searched: Sendable {
        /// As on the command line: `deadlock --variant ring`.
        var program: String
        /// Without repetitions, in alphabetical order: no outcome is a failure.
        var outcomes: [String]
        /// Of how many traces it consists, if all were tried.
        var traces: Int?
    }

    /// In the order of the catalogue.
    static let programs: [String] = Catalogue.builtIn.filter { $0.realThreadsOnly == nil }.flatMap { scenario in
        choices(of: scenario).map { "\(scenario.name) --variant \($0.word)" }
    }

    private static func choices<Program: Scenario>(of type: Program.Type) -> [ParameterForm.Choice] {
        if case .choice(let choices) = Program.Variant.form { choices } else { [] }
    }

    static let all: Result<[Searched], any Error> = Result {
        let output = try threadlab(
            "check", "--builtin", "--controlled", "--spurious", "0", "--format", "json", "--time", "1h"
        )
        .run().succeeds().output
        return try JSONDecoder().decode(Report.self, from: Data(output.utf8)).scenarios.compactMap { scenario in
            scenario.controlled.map { search in
                Searched(
                    program: scenario.name.replacing("/", with: " --variant "),
                    outcomes: Set(search.outcomes.map(\.outcome)).sorted(), traces: search.proof ? search.traces : nil)
            }
        }
    }

    private struct Report: Decodable {
        var scenarios: [Scenario]

        struct Scenario: Decodable {
            var name: String
            var controlled: Search?
        }

        struct Search: Decodable {
            var proof: Bool
            var traces: Int?
            var outcomes: [Outcome]
        }

        struct Outcome: Decodable { var outcome: String }
    }
}

@Suite struct SearchedVariantTests {
    @Test func `each variant that can be searched is searched to the end`() throws {
        let searched = try SearchedVariants.all.get()
        #expect(searched.map(\.program) == SearchedVariants.programs)
        for variant in searched {
            let traces = try #require(variant.traces, "\(variant.program)")
            let end = variant.outcomes.isEmpty ? "completed" : variant.outcomes.joined(separator: ", ")
            try GoldenTable.variants.compare(variant.program, [end, String(traces)])
        }
    }

    /// Their threads meet at the lab's barrier, which waits on a condition. `check` alone leaves these three open.
    @Test(arguments: [
        ("deadlock --variant try-lock", 28_512), ("deadlock --variant change-sides", 12_096),
        ("operation-order --variant missing", 79_521),
    ])
    func `with one spurious wake-up a variant has more traces, which are searched to the end`(
        program: String, traces: Int
    )
        throws
    {
        let words =
            ["explore"] + program.split(separator: " ").map(String.init)
            + ["--spurious", "1", "--strategy", "dpor", "--keep-going", "--format", "json", "--time", "1h"]
        try Invocation(program: Programs.threadlab, arguments: words).run().succeeds()
            .prints("\"ended\":\(traces),\"cutOff\":0").prints("\"total\":\(traces),\"prover\":\"dpor\"")
    }
}
