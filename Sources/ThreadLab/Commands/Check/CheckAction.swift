import Arguments
import Supervision
import Text

/// `threadlab check PATH...`
enum CheckAction: Action {
    static let paths = TypedPositional.any(
        "PATH", .file, "A .lab file, a folder of them, a name or a chapter from 'list', or - for standard input")
    static let builtIn = TypedOption.flag("builtin", "Check every variant of every scenario of this program")
    static let filter = TypedOption.texts(
        "filter", placeholder: "GLOB", of: .subjects,
        "Check only scenarios whose name, or the end of it after a '/', matches this pattern, with or without .lab")
    static let list = TypedOption.flag("list", "Print the names of the scenarios, one per line, and check nothing")
    private static let native = TypedOption.flag("native", "Run on real threads only")
    private static let controlled = TypedOption.flag("controlled", "Search under the scheduler only")
    private static let both = TypedOption.flag("both", "Search, and run on real threads; this is the default")
    private static let runs = TypedOption.integer(
        "runs", in: 1...Int.max,
        "Maximum executions per search, by default unlimited; number of native runs, by default \(usualNativeRuns)")
    private static let seed = TypedOption.seed("seed", default: 1, "Seed of the random strategies")
    private static let time = TypedOption.duration(
        "time", in: 1_000_000...86_400_000_000_000, default: "10s",
        "Time limit per scenario, split evenly between searching and native runs")
    static let jobs = TypedOption.integer(
        "jobs", in: 1...1024, "Scenarios to check in parallel, by default one per processor core")
    static let failFast = TypedOption.flag("fail-fast", "Stop starting scenarios after the first failure")
    static let requireProof = TypedOption.flag("require-proof", "Fail a scenario that is not proved")
    static let baseline = TypedOption.file(
        "baseline", "Allow the failures listed in this file, one name per line, and no others")
    static let newBaseline = TypedOption.file(
        "write-baseline", "Write the names of the failures to this file, for --baseline")
    static let cache = TypedOption.file(
        "cache", placeholder: "DIR", "Remember proofs in this folder, and do not repeat them")
    static let save = TypedOption.file(
        "save", placeholder: "DIR", "Save the trace of each failure in this folder, for 'replay'")
    static let junit = TypedOption.file("junit", "Also write a JUnit XML report to this file")
    static let tap = TypedOption.flag("tap", "Print the report in the Test Anything Protocol")
    static let gitHub = TypedOption.flag(
        "github", "Also print annotations for GitHub Actions, and append to the job's summary")
    static let quiet = TypedOption.flag("quiet", "Print only failures and the totals")
    static let verbose = TypedOption.flag("verbose", "Print all evidence on a terminal too")

    static let command = Command(
        "check", "Check that scenarios end as they expect",
        discussion: """
            Checks each .lab file that is named or found in a folder, each program, chapter or scenario from 'list' that \
            is named, and, with --builtin, every variant of every \
            built-in scenario. For each it searches the interleavings as 'explore' does, and runs the scenario a few \
            times on real threads. A scenario passes if every outcome observed is one it allows and every outcome it \
            promises was observed. The report says whether the result is proved (all interleavings tried) and, if \
            not, why. Once every promised outcome has been observed, a search stops after 10000 executions without \
            anything new.

            The exit code is 0 if all scenarios passed, 1 if some failed, 2 if a file has errors (the others still \
            run), and 3 if threadlab itself failed. If the check was interrupted, it is 128 plus the signal: 130 for \
            Ctrl-C, 143 for SIGTERM. If several apply, it is the greatest.
            """,
        positionals: [paths],
        options: [
            builtIn, filter, list, native, controlled, both, runs, seed, time, jobs, failFast, requireProof, baseline,
            newBaseline, cache, save, quiet, verbose, OutputForm.option, tap, junit, gitHub, Terminal.colourOption,
        ],
        exclusive: [
            [native, controlled, both], [native, requireProof], [baseline, newBaseline], [failFast, newBaseline],
            [quiet, verbose, tap],
            [tap, OutputForm.option], [tap, gitHub],
        ],
        examples: [
            Example("check scenarios", "the .lab files in a folder"),
            Example("check basics", "a chapter of the programs that come with threadlab"),
            Example("check --builtin --filter 'deadlock/*'", "the variants of one scenario"),
            Example("check . --junit report.xml --fail-fast", "in CI"),
        ])

    private static let usualNativeRuns = 3

    static func run(_ arguments: ParsedArguments, in session: Session) throws -> ExitCode {
        let subjects = try CheckSubject.all(
            paths: arguments[paths], builtIn: arguments[builtIn], filters: arguments[filter], session)
        if arguments[list] { return try printNames(of: subjects) }
        var run = try CheckRun(subjects, plan(arguments), arguments, session)
        return try run.run()
    }

    private static func plan(_ arguments: ParsedArguments) -> CheckPlan {
        let runs = arguments[runs]
        let isNative = arguments[native]
        let isControlled = arguments[controlled]
        var plan = CheckPlan(
            executions: isNative ? 0 : runs ?? .max,
            nativeRuns: isControlled ? 0 : isNative ? runs ?? usualNativeRuns : min(runs ?? .max, usualNativeRuns),
            seed: arguments[seed], time: arguments[time])
        plan.keepsTraces = arguments[save] != nil
        plan.needsProof = arguments[requireProof]
        return plan
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
