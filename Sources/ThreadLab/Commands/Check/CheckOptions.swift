import Arguments
import Supervision

/// What `threadlab check` can be told.
enum CheckOptions {
    static let paths = TypedPositional.any(
        "PATH", .file, "A .lab file, a folder of them, a name or a chapter from 'list', or - for standard input")
    static let builtIn = TypedOption.flag("builtin", "Check every variant of every scenario of this program")
    static let filter = TypedOption.texts(
        "filter", placeholder: "GLOB", of: .subjects,
        "Check only scenarios whose name, or the end of it after a '/', matches this pattern, with or without .lab")
    static let list = TypedOption.flag("list", "Print the names of the scenarios, one per line, and check nothing")
    static let native = TypedOption.flag("native", "Run on real threads only")
    static let controlled = TypedOption.flag("controlled", "Search under the scheduler only")
    static let both = TypedOption.flag("both", "Search, and run on real threads; this is the default")
    static let runs = TypedOption.integer(
        "runs", in: 1...Int.max,
        "Maximum executions per search (no limit by default), and number of native runs (by default \(usualNativeRuns))"
    )
    static let seed = TypedOption.seed("seed", default: 1, "Seed of the random strategies")
    static let time = TypedOption.duration(
        "time", in: 1_000_000...86_400_000_000_000, default: "10s",
        "Time limit per scenario, split evenly between searching and native runs")
    static let jobs = TypedOption.integer(
        "jobs", in: 1...1024, "Scenarios to check in parallel, by default one per processor core")
    static let failFast = TypedOption.flag("fail-fast", "Start no more scenarios after the first failure")
    static let requireProof = TypedOption.flag("require-proof", "Fail a scenario that is not proved")
    static let baseline = TypedOption.file(
        "baseline", "Allow the failures listed in this file, one name per line, and no others")
    static let newBaseline = TypedOption.file(
        "write-baseline", "Write the names of the failures to this file, for --baseline")
    static let cache = TypedOption.file(
        "cache", placeholder: "DIR", "Remember proofs in this folder, and do not repeat them")
    static let save = TypedOption.file(
        "save", placeholder: "DIR", "Save the trace of each failure in this folder, for 'replay'")
    static let html = TypedOption.file(
        "html", placeholder: "DIR", "Write an index of the results into this folder, and a page for each failure")
    static let junit = TypedOption.file("junit", "Also write a JUnit XML report to this file")
    static let tap = TypedOption.flag("tap", "Print the report in the Test Anything Protocol")
    static let gitHub = TypedOption.flag(
        "github", "Also print annotations for GitHub Actions, and append to the job's summary")
    static let quiet = TypedOption.flag("quiet", "Print only failures and the totals")
    static let verbose = TypedOption.flag("verbose", "Do not shorten evidence on terminals")

    static let all: [any OptionDeclaration] = [
        builtIn, filter, list, native, controlled, both, runs, seed, time, jobs, failFast, requireProof, baseline,
        newBaseline, cache, save, html, quiet, verbose, OutputForm.option, tap, junit, gitHub, Terminal.colourOption,
    ]

    static let exclusive: [[any OptionDeclaration]] = [
        [native, controlled, both], [native, requireProof], [baseline, newBaseline], [failFast, newBaseline],
        [quiet, verbose, tap],
        [tap, OutputForm.option], [tap, gitHub],
    ]

    static func subjects(_ arguments: ParsedArguments, _ session: Session) throws(Complaint) -> [CheckSubject] {
        try CheckSubject.all(
            paths: arguments[paths], builtIn: arguments[builtIn], filters: arguments[filter], session)
    }

    static func onlyLists(_ arguments: ParsedArguments) -> Bool { arguments[list] }

    static func plan(_ arguments: ParsedArguments) -> CheckPlan {
        let runs = arguments[runs]
        let isNative = arguments[native]
        let isControlled = arguments[controlled]
        var plan = CheckPlan(
            executions: isNative ? 0 : runs ?? .max,
            nativeRuns: isControlled ? 0 : isNative ? runs ?? usualNativeRuns : min(runs ?? .max, usualNativeRuns),
            seed: arguments[seed], time: arguments[time])
        plan.keepsTraces = arguments[save] != nil || arguments[html] != nil
        plan.needsProof = arguments[requireProof]
        return plan
    }

    private static let usualNativeRuns = 3
}
