import Arguments
import Console
import Judging
import Machine
import Supervision
import Text

/// `threadlab check PATH...`, `threadlab check --merge RESULT...`: searches and runs many programs, and reports which
/// of them do not end as they should. It is the command for scripts and CI.
package enum CheckAction: Action {
    package static let command = TypedCommand<CheckOptions>(
        "check", "Check that scenarios end as expected",
        discussion: """
            Checks each .lab file that is named or found in a folder, each program, chapter or scenario from \
            'show' and each compiled program (./app) that is named, and, with --builtin, every variant of every built-in scenario. For each it searches \
            the interleavings as 'explore' does, and runs the scenario a few times on real threads. A scenario \
            passes if it shows every outcome that it promises, and none that it does not allow. The report says \
            whether the result is proved (all orders of dependent steps tried) and, if not, why not. Once every promised outcome has been observed, a search stops after 10000 executions without \
            anything new. A scenario that exists on real threads only is always run there.

            --against TASK judges submissions: the claims and limits are those of the task, whatever the file says itself; what the \
            task gives and requires must be there; and a submission passes only if a search has tried everything \
            ('help tasks').

            --shard 3/10 --result FILE checks a part of the scenarios. From the results of all parts, in any order, --merge writes \
            what one machine would have written; parts that are missing or doubled, or of another check, another version of \
            threadlab or other options, are an error, and then nothing is written.

            The exit code is 0 if all scenarios passed, 1 if some failed, 2 if a file has errors (the others still \
            run), and 3 if threadlab itself failed. If the check was interrupted, it is 128 plus the signal: 130 for \
            Ctrl-C, 143 for SIGTERM. If several apply, the exit code is the greatest.
            """,
        onlyReads: true,
        usual: [
            "builtin", "filter", "list", "watch", "native", "controlled", "time", "jobs", "fail-fast", "require-proof",
            "save", "html", "junit", "quiet",
        ],
        examples: [
            Example("check scenarios", "the .lab files in a folder"),
            Example("check basics", "a chapter of the programs that come with threadlab"),
            Example("check --builtin --filter 'deadlock/*'", "the variants of one scenario"),
            Example("check queue.lab --against queue.lab", "a submission, and the task that it began as"),
            Example("check . --junit report.xml --fail-fast", "in CI"),
            Example("check basics --shard 1/2 --result part-1", "half of it, on one machine"),
            Example("check basics --shard 2/2 --result part-2", "the other half, on another"),
            Example("check --merge part-1 part-2 --junit report.xml", "what both machines have found"),
        ],
        scenarioExamples: [Example("check NAME", "whether its variants do what they promise")])

    /// Whether the words, which follow the command's name, contain `--merge`. Then nothing is checked, and no
    /// configuration file is used.
    package static func merges(_ words: some Sequence<String>) -> Bool {
        declaration.roles(of: Array(words)).contains { role in
            if case .option(let name, _) = role { name == command.options.merge.name } else { false }
        }
    }

    package static func run(_ arguments: TypedArguments<CheckOptions>, in session: Session) throws -> ExitCode {
        if arguments.merge { return try CheckMerge.run(arguments, in: session) }
        if arguments.watch { return try CheckWatch(arguments, session).run() }
        return try check(arguments, in: session)
    }

    /// A check, not repeated, of what the command line names.
    static func check(_ arguments: TypedArguments<CheckOptions>, in session: Session) throws -> ExitCode {
        // A list of names, or of failures only, is for scripts.
        if arguments.list || arguments.reports.quiet { session.files.omitWarnings() }
        try session.files.judge(against: arguments.against)
        session.compiled.limitLearning(until: session.deadline(arguments.time))
        let selection = try CheckSelection(arguments, session)
        if arguments.native { try requireRealThreads(selection.subjects.map(\.subject)) }
        if arguments.list { return try printNames(of: selection.subjects.map(\.subject)) }
        var plan = arguments.plan
        // Reading the files, and learning the steps of a compiled program, have taken a part of the time.
        plan.totalTime = plan.totalTime.map { session.deadline($0).left }
        if session.compiled.isHosted { plan.time = min(plan.time, session.deadline(plan.time).left) }
        EndingWatch.begin(session.program)
        var run = try CheckRun(selection, plan, arguments, session)
        return try run.run()
    }

    /// Throws if a subject is a compiled program: for `--native` there is nothing to do, because threadlab makes no
    /// runs of it on real threads.
    private static func requireRealThreads(_ subjects: [CheckSubject]) throws(Complaint) {
        for subject in subjects {
            switch subject.content {
            case .compiled: break
            case .scenario(let scenario): if !scenario.isControlledOnly { continue }
            case .evading, .wrong: continue
            }
            throw Complaint(
                "check --native: \(subject.name.printable) runs on real threads when it is started without threadlab: leave out --native"
            )
        }
    }

    /// Prints the names for `--list`. Messages about wrong files go to standard error, so that standard output has only
    /// names.
    private static func printNames(of subjects: [CheckSubject]) throws(Complaint) -> ExitCode {
        var code = ExitCode.expected
        for subject in subjects {
            switch subject.content {
            case .scenario, .compiled, .evading: try StandardOutput.write(subject.name.printable + "\n")
            case .wrong(let message):
                code = .usage
                StandardError.write(
                    (message.contains("\n") ? message : "\(subject.name.printable): \(message.printable)") + "\n")
            }
        }
        return code
    }
}

/// The options of `threadlab check`.
package struct CheckOptions: OptionGroup {
    let paths: Listed<[String]>
    let builtIn: Listed<Bool>
    let filter, exclude: Listed<[String]>
    let lastFailed, changedSince, shard, balance: Listed<String?>
    let list, watch, native, controlled, both, merge: Listed<Bool>
    let runs: Listed<Int?>
    let seed, time: Listed<UInt64>
    let totalTime: Listed<UInt64?>
    let memory: Listed<Int>
    let jobs: Listed<Int?>
    let spurious: Listed<Int?>
    let model: Listed<MemoryModel?>
    let failFast, requireProof: Listed<Bool>
    let mostFailures: Listed<Int?>
    let against, cache: Listed<String?>
    /// The profiles of `threadlab.toml`. Their content becomes words of the command line before the line is parsed.
    let profiles: Listed<[String]>
    let ignoresFile: Listed<Bool>
    let reports: ListedGroup<CheckReportOptions>

    package init(_ list: inout OptionList) {
        paths = list.any(
            "PATH", .file,
            "A .lab file, a folder of them, a compiled program's path, a name or a chapter from 'show', or - for standard input"
        )
        builtIn = list.flag("builtin", "Check every variant of every scenario of this program")
        filter = list.texts(
            "filter", placeholder: "GLOB", of: .subjects,
            "Check only scenarios whose name, or the end of it after a '/', matches this pattern, with or without .lab")
        exclude = list.texts(
            "exclude", placeholder: "GLOB", of: .subjects, "Do not check scenarios whose name matches this pattern")
        lastFailed = list.file(
            "last-failed", placeholder: "RESULT",
            "Check only what failed or was not run in an earlier check, by its --result file")
        changedSince = list.text(
            "changed-since", placeholder: "REVISION", "Check only files that differ from this revision, as git knows it"
        )
        self.list = list.flag("list", "Print the names of the scenarios, one per line, and check nothing")
        watch = list.flag("watch", "Check again when a file has changed; Ctrl-C ends it")
        list.head("How it is checked")
        native = list.flag("native", "Run on real threads only")
        controlled = list.flag("controlled", "Search under the scheduler only")
        both = list.flag("both", "Search, and run on real threads; this is the default")
        runs = list.integer(
            "runs", in: 1...Int.max,
            "Maximum executions per search (no limit by default), and number of native runs (by default \(Self.usualNativeRuns))"
        )
        time = list.duration(
            "time", in: 1_000_000...86_400_000_000_000, default: DurationText.write(UsualTime.search),
            "Time limit per scenario, split evenly between searching and native runs")
        totalTime = list.duration(
            "total-time", in: 1_000_000...604_800_000_000_000,
            "Time limit for all scenarios together, of which each gets a share; what some leave goes to those that need it"
        )
        memory = list.integer(
            "memory", in: 64...1_000_000, default: UsualMemory.process >> 20, placeholder: "MIB",
            "Maximum memory of each search, in mebibytes")
        jobs = list.integer(
            "jobs", in: 1...1024, "Scenarios to check in parallel, by default one per processor core")
        seed = list.seed("seed", default: 1, "Seed of the random strategies")
        spurious = list.spurious()
        model = list.model("Which writes a read of an atomic may see in a search")
        against = list.file(
            "against", placeholder: "TASK",
            "Hold each file, as a submission, to the claims and limits of this .lab file, not to its own")
        cache = list.file(
            "cache", placeholder: "DIR", "Remember proofs in this folder, and do not repeat them")
        list.head("What fails it, and when it ends")
        requireProof = list.flag("require-proof", "Fail a scenario that is not proved")
        failFast = list.flag("fail-fast", "Start no more scenarios after the first failure")
        mostFailures = list.integer("maxfail", in: 1...Int.max, "Start no more scenarios after N failures")
        reports = list.group()
        list.head("Parts for several machines")
        shard = list.text(
            "shard", placeholder: "K/N", "Check part K of N; --merge joins the results of all parts (--result)")
        balance = list.file(
            "balance", placeholder: "RESULT",
            "Make the parts equally long, by the durations in an earlier --result file")
        merge = list.flag("merge", "Check nothing: PATH names the results of all parts, which are joined")
        list.head("The configuration file")
        profiles = list.texts(
            "profile", placeholder: "NAME", "Also use the options of this profile in \(CheckConfiguration.name)")
        ignoresFile = list.flag("no-config", "Use no options of \(CheckConfiguration.name)")
        let reported = reports.content
        list.exclude([
            [native, controlled, both], [native, requireProof], [failFast, mostFailures],
            [failFast, reported.newBaseline], [mostFailures, reported.newBaseline], [failFast, reported.result],
            [mostFailures, reported.result], [failFast, reported.newProofs], [mostFailures, reported.newProofs],
            [shard, reported.newBaseline], [shard, reported.newProofs],
            [lastFailed, shard], [lastFailed, reported.newBaseline], [lastFailed, reported.newProofs],
            [changedSince, reported.newBaseline], [changedSince, reported.newProofs],
            [against, builtIn], [against, native, both], [against, runs],
            [profiles, ignoresFile], [against, reported.baseline, reported.newBaseline], [against, seed],
            [against, totalTime], [watch, self.list, merge], [watch, reported.result],
        ])
    }

    /// The default number of runs on real threads.
    fileprivate static let usualNativeRuns = 3
}

extension TypedArguments<CheckOptions> {
    /// The plan that the options describe.
    var plan: CheckPlan {
        let (isNative, isControlled, usual) = (self.native, self.controlled, CheckOptions.usualNativeRuns)
        if self.against != nil {
            var plan = isGiven(\.time) ? TaskJudge.plan(time: self.time) : TaskJudge.plan()
            plan.keepsTraces = true
            plan.processMemory = self.memory << 20
            return plan
        }
        var plan = CheckPlan(
            executions: isNative ? 0 : self.runs ?? .max,
            nativeRuns: isControlled ? 0 : isNative ? self.runs ?? usual : min(self.runs ?? .max, usual),
            seed: self.seed, time: isGiven(\.time) ? self.time : self.totalTime ?? self.time)
        plan.totalTime = self.totalTime
        plan.processMemory = self.memory << 20
        plan.keepsTraces = true
        plan.needsProof = self.requireProof
        plan.spurious = self.spurious
        plan.isModelGiven = self.model != nil
        return plan
    }
}
