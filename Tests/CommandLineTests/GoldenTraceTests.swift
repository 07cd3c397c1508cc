import Authoring
import Glibc
import Scenarios
import Testing

/// The trace of every variant of every scenario under a fixed seed, byte for byte. `THREADLAB_UPDATE_GOLDEN=1 make
/// test` rewrites the files; review the changes.
@Suite struct GoldenTraceTests {
    struct Golden: CustomTestStringConvertible {
        let scenario: String
        let variant: String
        let options: [String]

        var testDescription: String { "\(scenario).\(variant)" }

        var path: String {
            let folder = #filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined()
            return "\(folder)/Golden/\(scenario).\(variant).txt"
        }

        var command: [String] { ["run", scenario, "--variant", variant] + options }
    }

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
        if getenv("THREADLAB_UPDATE_GOLDEN") != nil { try Files.write(golden.path, Array(trace.utf8)) }
        let saved = try #require(Files.text(golden.path), "there is no \(golden.path)")
        if trace == saved { return }
        let now = trace.split(separator: "\n", omittingEmptySubsequences: false)
        let then = saved.split(separator: "\n", omittingEmptySubsequences: false)
        let line = zip(now, then).prefix { $0 == $1 }.count
        Issue.record(
            """
            \(golden.path):\(line + 1)
            was: \(line < then.count ? then[line] : "(nothing)")
            is:  \(line < now.count ? now[line] : "(nothing)")
            THREADLAB_UPDATE_GOLDEN=1 writes it anew.
            """)
    }

    @Test func `every golden trace is one of a variant`() throws {
        let folder = Self.all[0].path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        var names: Set<String> = []
        let directory = try #require(opendir(folder))
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.insert("\(folder)/\(name)") }
        }
        #expect(names == Set(Self.all.map(\.path)))
    }
}
