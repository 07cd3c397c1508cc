import Diagnosis
import Testing
import Trace

/// The programs that explanations show, run as a learner would run them.
@Suite struct ExplainedProgramTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// How the broken program ends if the code itself decides no outcome, or is not looked for yet in runs that end well.
    private static let endings: [FindingCode: OutcomeKind] = [
        .lockOrder: .completed, .lostWakeUp: .deadlock, .waitWithoutLoop: .assertion, .livelock: .assertion,
        .starvation: .completed, .priorityInversion: .completed, .heldWhileBlocked: .completed,
        .heldTooLong: .completed, .contention: .completed, .cutOffThread: .completed,
    ]

    private func ending(of code: FindingCode) -> OutcomeKind? {
        Self.endings[code] ?? (code.explanation.example.shows ?? code).outcome
    }

    private func written(_ code: FindingCode, _ option: String) throws -> String {
        let text = try threadlab("explain", code.rawValue, option).run().succeeds().output
        return try directory.write("x.lab", Array(text.utf8))
    }

    private func run(_ file: String, _ options: [String]) throws -> Ended {
        let words = ["run", file, "--format", "none"] + options
        return try Invocation(program: Programs.threadlab, arguments: words).run().succeeds()
    }

    /// What never ends by itself is not given long.
    private func limits(_ code: FindingCode) -> [String] {
        code == .timeout ? ["--timeout", "200ms", "--max-steps", "5000"] : []
    }

    @Test(arguments: FindingCode.allCases)
    func `a program is in canonical form, and nothing is to be warned of`(_ code: FindingCode) throws {
        for option in ["--example", "--mended"] {
            let file = try written(code, option)
            try threadlab("format", "--check", file).run().succeeds().printsNothing()
            try threadlab("show", file).run().succeeds()
        }
    }

    @Test(arguments: FindingCode.allCases)
    func `a broken program shows what it is there for, on both runtimes`(_ code: FindingCode) throws {
        let file = try written(code, "--example")
        let end = try #require(ending(of: code))
        let seeds = try run(file, ["--controlled", "--repeat", "20"] + limits(code))
        seeds.prints("\(end.rawValue)")
        // On real threads it is likely, not certain: what counts is that it comes.
        let comes = try (1...20).contains { _ in
            try run(file, ["--native"] + limits(code)).output.hasPrefix("\(end.rawValue): ")
        }
        #expect(comes, "\(end) never came")
    }

    @Test(arguments: FindingCode.allCases)
    func `a mended program completes, on both runtimes, and nothing is found`(_ code: FindingCode) throws {
        let file = try written(code, "--mended")
        for options in [["--native"], ["--controlled"], ["--seed", "7"]] {
            let end = try run(file, options)
            #expect(end.output.hasPrefix("completed: ") && !end.output.contains("Also"), "\(end.output)")
        }
    }
}
