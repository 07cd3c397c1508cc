import Arguments
import Supervision
import Text

/// `threadlab check PATH...`
enum CheckAction: Action {
    static let command = TypedCommand(
        "check", "Check that scenarios end as expected",
        discussion: """
            Checks each .lab file that is named or found in a folder, each program, chapter or scenario from \
            'list' that is named, and, with --builtin, every variant of every built-in scenario. For each it searches \
            the interleavings as 'explore' does, and runs the scenario a few times on real threads. A scenario \
            passes if every outcome observed is one it allows and every outcome it \
            promises was observed. The report says whether the result is proved (all traces tried) and, if not, why \
            not. Once every promised outcome has been observed, a search stops after 10000 executions without \
            anything new. A scenario that exists on real threads only is always run there.

            The exit code is 0 if all scenarios passed, 1 if some failed, 2 if a file has errors (the others still \
            run), and 3 if threadlab itself failed. If the check was interrupted, it is 128 plus the signal: 130 for \
            Ctrl-C, 143 for SIGTERM. If several apply, the greatest wins.
            """,
        options: CheckOptions(),
        examples: [
            Example("check scenarios", "the .lab files in a folder"),
            Example("check basics", "a chapter of the programs that come with threadlab"),
            Example("check --builtin --filter 'deadlock/*'", "the variants of one scenario"),
            Example("check . --junit report.xml --fail-fast", "in CI"),
        ],
        scenarioExamples: [Example("check NAME", "whether its variants do what they promise")])

    static func run(_ arguments: TypedArguments<CheckOptions>, in session: Session) throws -> ExitCode {
        let subjects = try arguments.subjects(session)
        if arguments.list { return try printNames(of: subjects) }
        var run = try CheckRun(subjects, arguments.plan, arguments, session)
        return try run.run()
    }

    /// What is wrong with a file goes to standard error, so that standard output has only names.
    private static func printNames(of subjects: [CheckSubject]) throws(Complaint) -> ExitCode {
        var code = ExitCode.expected
        for subject in subjects {
            switch subject.content {
            case .scenario: try StandardOutput.write(subject.name.printable + "\n")
            case .wrong(let message), .stale(let message):
                code = .usage
                StandardError.write(
                    (message.contains("\n") ? message : "\(subject.name.printable): \(message.printable)") + "\n")
            }
        }
        return code
    }
}

/// What `threadlab check` can be told.
struct CheckOptions: OptionGroup {
    let paths = TypedPositional.any(
        "PATH", .file, "A .lab file, a folder of them, a name or a chapter from 'list', or - for standard input")
    let builtIn = TypedOption.flag("builtin", "Check every variant of every scenario of this program")
    let filter = TypedOption.texts(
        "filter", placeholder: "GLOB", of: .subjects,
        "Check only scenarios whose name, or the end of it after a '/', matches this pattern, with or without .lab")
    let list = TypedOption.flag("list", "Print the names of the scenarios, one per line, and check nothing")
    let native = TypedOption.flag("native", "Run on real threads only")
    let controlled = TypedOption.flag("controlled", "Search under the scheduler only")
    let both = TypedOption.flag("both", "Search, and run on real threads; this is the default")
    let runs = TypedOption.integer(
        "runs", in: 1...Int.max,
        "Maximum executions per search (no limit by default), and number of native runs (by default \(Self.usualNativeRuns))"
    )
    let seed = TypedOption.seed("seed", default: 1, "Seed of the random strategies")
    let time = TypedOption.duration(
        "time", in: 1_000_000...86_400_000_000_000, default: "10s",
        "Time limit per scenario, split evenly between searching and native runs")
    let jobs = TypedOption.integer(
        "jobs", in: 1...1024, "Scenarios to check in parallel, by default one per processor core")
    let failFast = TypedOption.flag("fail-fast", "Start no more scenarios after the first failure")
    let requireProof = TypedOption.flag("require-proof", "Fail a scenario that is not proved")
    let baseline = TypedOption.file(
        "baseline", "Allow the failures listed in this file, one name per line, and no others")
    let newBaseline = TypedOption.file(
        "write-baseline", "Write the names of the failures to this file, for --baseline")
    let cache = TypedOption.file(
        "cache", placeholder: "DIR", "Remember proofs in this folder, and do not repeat them")
    let save = TypedOption.file(
        "save", placeholder: "DIR", "Save the trace of each failure in this folder, for 'replay'")
    let html = TypedOption.file(
        "html", placeholder: "DIR", "Write an index of the results into this folder, and a page for each failure")
    let quiet = TypedOption.flag("quiet", "Print only failures and the totals")
    let verbose = TypedOption.flag("verbose", "Do not shorten evidence on terminals")
    let format = OutputForm.option
    let tap = TypedOption.flag("tap", "Print the report in the Test Anything Protocol")
    let junit = TypedOption.file("junit", "Also write a JUnit XML report to this file")
    let gitHub = TypedOption.flag(
        "github", "Also print annotations for GitHub Actions, and append to the job's summary")
    let color = Terminal.colorOption

    fileprivate static let usualNativeRuns = 3

    var exclusive: [[any OptionDeclaration]] {
        [
            [native, controlled, both], [native, requireProof], [baseline, newBaseline], [failFast, newBaseline],
            [quiet, verbose, tap],
            [tap, format], [tap, gitHub],
        ]
    }
}

extension TypedArguments<CheckOptions> {
    func subjects(_ session: Session) throws(Complaint) -> [CheckSubject] {
        try CheckSubject.all(paths: self.paths, builtIn: self.builtIn, filters: self.filter, session)
    }

    var plan: CheckPlan {
        let (isNative, isControlled, usual) = (self.native, self.controlled, CheckOptions.usualNativeRuns)
        var plan = CheckPlan(
            executions: isNative ? 0 : self.runs ?? .max,
            nativeRuns: isControlled ? 0 : isNative ? self.runs ?? usual : min(self.runs ?? .max, usual),
            seed: self.seed, time: self.time)
        plan.keepsTraces = self.save != nil || self.html != nil
        plan.needsProof = self.requireProof
        return plan
    }
}
