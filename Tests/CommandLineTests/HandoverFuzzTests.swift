import Glibc
import Support
import Testing

/// Random programs in C with compare-exchange loops on fresh memory (`HandoverProgram`).
///
/// A twentieth of as many as `THREADLAB_FUZZ_PROGRAMS` says are tried besides, with seeds that nobody has tried, or with those from
/// `THREADLAB_FUZZ_SEED` on.
@Suite struct HandoverFuzzTests {
    private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }
    private static let programs = number("THREADLAB_FUZZ_PROGRAMS").map { $0 / 20 }

    @Test(arguments: ["clang", "gcc"])
    func `threads that hand words on by atomic operations are proved, and those that wait forever are livelocks`(
        compiler: String
    ) throws {
        let first: UInt64 = compiler == "gcc" ? 101 : 1
        try explore(Array(first..<first + 15), compiler, [])
    }

    @Test func `and so are they if compare-exchanges may fail without a reason`() throws {
        try explore(Array(201..<211), "gcc", ["--spurious", "1"])
    }

    @Test(.enabled(if: programs != nil), arguments: ["clang", "gcc"], [[], ["--spurious", "1"]])
    func `and so are new ones`(compiler: String, options: [String]) throws {
        let first = Self.number("THREADLAB_FUZZ_SEED") ?? .random(in: 1 << 20...1 << 40)
        let seeds = (0..<max(1, (Self.programs ?? 0) / 4)).map { first + $0 }
        for part in stride(from: 0, to: seeds.count, by: 100) {
            try explore(Array(seeds[part..<min(seeds.count, part + 100)]), compiler, options)
        }
    }

    private func explore(_ seeds: [UInt64], _ compiler: String, _ options: [String]) throws {
        let program = try CProgram(
            "handovers", source: HandoverProgram.text(of: seeds), compiler: compiler == "gcc" ? "gcc" : CProgram.clang)
        for seed in seeds {
            let words = ["explore", program.path, "--strategy", "dpor"] + options + ["--", "\(seed)"]
            let found = try program.threadlab(words)
            let hasNone = ["proved: ", "no finding: "].contains { found.output.contains($0) } && found.code == 0
            // With failures without a reason, there may be more executions than are allowed.
            let isProved = found.output.contains("proved: ") || !options.isEmpty
            let isRight = HandoverProgram(seed: seed).ends ? hasNone && isProved : found.output.contains("livelock: ")
            if !isRight { Issue.record("seed \(seed), \(compiler): \(found.output)\(found.errors)") }
        }
    }
}
