import Authoring
import Glibc
import Scenarios
import Support
import Testing

/// The trace of every variant of every scenario under a fixed seed, byte for byte.
@Suite struct GoldenTraceTests {
    struct Golden: CustomTestStringConvertible {
        let scenario: String
        let variant: String
        let options: [String]

        var testDescription: String { "\(scenario).\(variant)" }

        var path: String { "\(GoldenTraceTests.folder)/\(scenario).\(variant).txt" }

        var command: [String] { ["run", scenario, "--variant", variant] + options }
    }

    static let folder = "\(Goldens.folder)/runs"

    /// Parameters that keep the traces small, and show the failures of broken variants.
    private static let options = [
        "producer-consumer.if-for-while": ["--seed", "16"],
        "producer-consumer.one-condition": ["--seed", "10"],
        "producer-consumer.signal-without-lock": ["--seed", "219"],
        "deadlock": [],
        "cancellation": ["--chunks", "4"],
        "cancellation.never-checks": ["--chunks", "5"],
        "shutdown": ["--records", "2"],
        "shutdown.never-joined": [],
        "priority-inversion": ["--pieces", "1", "--work", "3"],
        "queue-inversion": ["--pieces", "1", "--work", "3"],
    ]

    static let all: [Golden] = Catalogue.builtIn.filter { $0.realThreadsOnly == nil }.flatMap { scenario in
        variants(of: scenario).map { variant in
            let own = options["\(scenario.name).\(variant)"] ?? options[scenario.name] ?? []
            return Golden(
                scenario: scenario.name, variant: variant,
                options: own.contains("--seed") ? own : own + ["--seed", "1"])
        }
    }

    private static func variants<S: Scenario>(of scenario: S.Type) -> [String] { S.Variant.allCases.map(\.argument) }

    @Test(arguments: all) func `the trace is as it was`(golden: Golden) throws {
        let trace = try Invocation(program: Programs.threadlab, arguments: golden.command).run().succeeds().output
        try Goldens.compare(golden.path, trace)
    }

    @Test func `every golden trace is one of a variant`() throws {
        let folder = "\(Repository.root)/\(Self.folder)"
        let left = Set(TemporaryDirectory.names(in: folder).map { "\(Self.folder)/\($0)" })
            .subtracting(Self.all.map(\.path))
        if Goldens.areWritten {
            for path in left { #expect(unlink("\(Repository.root)/\(path)") == 0) }
        } else {
            #expect(left.isEmpty, "'make goldens' removes them")
        }
    }
}
