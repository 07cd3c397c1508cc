import Arguments
import Supervision

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
    let color = Terminal.colourOption

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
