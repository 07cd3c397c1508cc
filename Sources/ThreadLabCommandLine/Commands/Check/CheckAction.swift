import Arguments
import Judging
import Machine
import Supervision
import Text

/// `threadlab check PATH...`
enum CheckAction: Action {
    static let command = TypedCommand<CheckOptions>(
        "check", "Check that scenarios end as expected",
        discussion: """
            Checks each .lab file that is named or found in a folder, each program, chapter or scenario from \
            'list' that is named, and, with --builtin, every variant of every built-in scenario. For each it searches \
            the interleavings as 'explore' does, and runs the scenario a few times on real threads. A scenario \
            passes if it shows every outcome that it promises, and none that it does not allow. The report says \
            whether the result is proved (all orders of dependent steps tried) and, if not, why not. Once every promised outcome has been observed, a search stops after 10000 executions without \
            anything new. A scenario that exists on real threads only is always run there.

            --against TASK judges submissions: the claims and limits are those of the task, whatever the file says itself; what the \
            task gives and requires must be there; and a submission passes only if a search has tried everything \
            ('help tasks').

            The exit code is 0 if all scenarios passed, 1 if some failed, 2 if a file has errors (the others still \
            run), and 3 if threadlab itself failed. If the check was interrupted, it is 128 plus the signal: 130 for \
            Ctrl-C, 143 for SIGTERM. If several apply, the exit code is the greatest.
            """,
        onlyReads: true,
        examples: [
            Example("check scenarios", "the .lab files in a folder"),
            Example("check basics", "a chapter of the programs that come with threadlab"),
            Example("check --builtin --filter 'deadlock/*'", "the variants of one scenario"),
            Example("check queue.lab --against queue.lab", "a submission, and the task that it began as"),
            Example("check . --junit report.xml --fail-fast", "in CI"),
        ],
        scenarioExamples: [Example("check NAME", "whether its variants do what they promise")])

    static func run(_ arguments: TypedArguments<CheckOptions>, in session: Session) throws -> ExitCode {
        // A list of names, or of failures only, is for scripts.
        if arguments.list || arguments.quiet { session.files.omitWarnings() }
        try session.files.judge(against: arguments.against)
        let scope = CheckScope(arguments.paths) { !CheckSubject.known($0, session).isEmpty }
        let subjects = try arguments.subjects(scope, session)
        if arguments.list { return try printNames(of: subjects) }
        var run = try CheckRun(subjects, scope, arguments.plan, arguments, session)
        return try run.run()
    }

    /// What is wrong with a file goes to standard error, so that standard output has only names.
    private static func printNames(of subjects: [CheckSubject]) throws(Complaint) -> ExitCode {
        var code = ExitCode.expected
        for subject in subjects {
            switch subject.content {
            case .scenario, .evading: try StandardOutput.write(subject.name.printable + "\n")
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
    let paths: Listed<[String]>
    let builtIn: Listed<Bool>
    let filter: Listed<[String]>
    let list, native, controlled, both: Listed<Bool>
    let runs: Listed<Int?>
    let seed, time: Listed<UInt64>
    let jobs: Listed<Int?>
    let model: Listed<MemoryModel>
    let failFast, requireProof: Listed<Bool>
    let against: Listed<String?>
    let baseline, newBaseline, cache, save, html: Listed<String?>
    let quiet, verbose: Listed<Bool>
    let format: Listed<OutputForm>
    let tap: Listed<Bool>
    let junit: Listed<String?>
    let gitHub: Listed<Bool>
    let color: Listed<Terminal.ColorChoice>

    init(_ list: inout OptionList) {
        paths = list.any(
            "PATH", .file, "A .lab file, a folder of them, a name or a chapter from 'list', or - for standard input")
        builtIn = list.flag("builtin", "Check every variant of every scenario of this program")
        against = list.file(
            "against", placeholder: "TASK",
            "Hold each file, as a submission, to the claims and limits of this .lab file, not to its own")
        filter = list.texts(
            "filter", placeholder: "GLOB", of: .subjects,
            "Check only scenarios whose name, or the end of it after a '/', matches this pattern, with or without .lab")
        self.list = list.flag("list", "Print the names of the scenarios, one per line, and check nothing")
        native = list.flag("native", "Run on real threads only")
        controlled = list.flag("controlled", "Search under the scheduler only")
        both = list.flag("both", "Search, and run on real threads; this is the default")
        runs = list.integer(
            "runs", in: 1...Int.max,
            "Maximum executions per search (no limit by default), and number of native runs (by default \(Self.usualNativeRuns))"
        )
        seed = list.seed("seed", default: 1, "Seed of the random strategies")
        time = list.duration(
            "time", in: 1_000_000...86_400_000_000_000, default: "10s",
            "Time limit per scenario, split evenly between searching and native runs")
        jobs = list.integer(
            "jobs", in: 1...1024, "Scenarios to check in parallel, by default one per processor core")
        model = list.model("Which writes a read of an atomic may see in a search")
        failFast = list.flag("fail-fast", "Start no more scenarios after the first failure")
        requireProof = list.flag("require-proof", "Fail a scenario that is not proved")
        baseline = list.file(
            "baseline", "Allow the failures listed in this file, one name per line, and no others")
        newBaseline = list.file(
            "write-baseline", "Write the names of the failures to this file, for --baseline")
        cache = list.file(
            "cache", placeholder: "DIR", "Remember proofs in this folder, and do not repeat them")
        save = list.file(
            "save", placeholder: "DIR", "Save the trace of each failure in this folder, for 'replay'")
        html = list.file(
            "html", placeholder: "DIR", "Write an index of the results into this folder, and a page for each failure")
        quiet = list.flag("quiet", "Print only failures and the totals")
        verbose = list.flag("verbose", "Do not shorten evidence on terminals")
        format = list.outputForm()
        tap = list.flag("tap", "Print the report in the Test Anything Protocol")
        junit = list.file("junit", "Also write a JUnit XML report to this file")
        gitHub = list.flag(
            "github", "Also print annotations for GitHub Actions, and append to the job's summary")
        color = list.color()
        list.exclude([
            [native, controlled, both], [native, requireProof], [baseline, newBaseline], [failFast, newBaseline],
            [quiet, verbose, tap],
            [tap, format], [tap, gitHub],
            [against, builtIn], [against, native, both], [against, runs], [against, baseline, newBaseline],
            [against, seed],
        ])
    }

    fileprivate static let usualNativeRuns = 3
}

extension TypedArguments<CheckOptions> {
    func subjects(_ scope: CheckScope, _ session: Session) throws(Complaint) -> [CheckSubject] {
        try CheckSubject.all(scope, builtIn: self.builtIn, filters: self.filter, session)
            .flatMap { $0.under(self.model) }
    }

    var plan: CheckPlan {
        let (isNative, isControlled, usual) = (self.native, self.controlled, CheckOptions.usualNativeRuns)
        if self.against != nil {
            var plan = isGiven(\.time) ? TaskJudge.plan(time: self.time) : TaskJudge.plan()
            plan.keepsTraces = true
            return plan
        }
        var plan = CheckPlan(
            executions: isNative ? 0 : self.runs ?? .max,
            nativeRuns: isControlled ? 0 : isNative ? self.runs ?? usual : min(self.runs ?? .max, usual),
            seed: self.seed, time: self.time)
        plan.keepsTraces = self.save != nil || self.html != nil
        plan.needsProof = self.requireProof
        return plan
    }
}
