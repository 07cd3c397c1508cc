import Diagnosis
import Support
import Testing

/// The programs that explanations show, run as a learner would run them.
@Suite struct ExplainedProgramTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func written(_ code: FindingCode, _ option: String) throws -> String {
        let text = try threadlab("explain", code.rawValue, option).run().succeeds().output
        return try directory.write("x.lab", Array(text.utf8))
    }

    /// Runs the file, which ends as it says, and returns the findings in the run's trace.
    private func findings(_ file: String, _ options: [String], _ which: String) throws -> String {
        let trace = directory.file("x.trace")
        let words = ["run", file, "--format", "none", "--save", trace] + options
        try Invocation(program: Programs.threadlab, arguments: words).run().succeeds()
        return try threadlab("trace", trace, "--findings", "--format", "json", "--diagnose", which).run().isSilent()
            .output
    }

    /// Programs that never end by themselves get little time.
    private func limits(_ code: FindingCode) -> [String] {
        [.timeout, .livelock, .endlessStarvation].contains(code) ? ["--timeout", "500ms"] : []
    }

    @Test(arguments: FindingCode.allCases)
    func `a program is in canonical form, and nothing is to be warned of`(_ code: FindingCode) throws {
        for option in ["--example", "--fixed"] {
            let file = try written(code, option)
            try threadlab("format", "--check", file).run().succeeds().printsNothing()
            try threadlab("show", file).run().succeeds()
        }
    }

    /// On real threads it is likely, not certain, as with some seeds: it only has to occur, also where other programs keep the processors busy.
    @Test(arguments: FindingCode.allCases)
    func `a broken program shows what it is there for, on both runtimes`(_ code: FindingCode) throws {
        let file = try written(code, "--example")
        let shown = "\"code\":\"\((code.explanation.example.shows ?? code).rawValue)\""
        // Real threads that run forever are only cut off.
        let comes =
            try code == .endlessStarvation
            || (1...100).contains { _ in
                try findings(file, ["--native"] + limits(code), "all").contains(shown)
            }
        #expect(comes, "it never came on real threads")
        let isSeen = try (1...20).contains { seed in
            try findings(file, ["--seed", "\(seed)"] + limits(code), "all").contains(shown)
        }
        #expect(isSeen, "no seed shows it")
    }

    @Test(arguments: FindingCode.allCases)
    func `a fixed program completes on both runtimes, and there is nothing to find but notes`(_ code: FindingCode)
        throws
    {
        let file = try written(code, "--fixed")
        for options in [["--native"], ["--controlled"], ["--seed", "7"]] {
            if code == .endlessStarvation && options == ["--native"] { continue }
            let found = try findings(file, options, "all")
            #expect(found.contains("\"outcome\":\"completed\""))
            #expect(
                !found.contains("\"severity\":\"fault\"") && !found.contains("\"severity\":\"warning\""), "\(found)")
        }
    }

    @Test(arguments: Extent.part(of: FindingCode.allCases, every: 2), ["--example", "--fixed"])
    func `a program passes the check`(_ code: FindingCode, _ option: String) throws {
        let file = try written(code, option)
        // Time that runs out is seen on real threads alone: a search counts steps.
        if code != .timeout || option == "--fixed" {
            try threadlab("check", file, "--controlled", "--time", "60s").run().succeeds()
        }
        try threadlab("check", file, "--native", "--time", "5s").run().succeeds()
    }
}
