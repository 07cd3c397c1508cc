import Arguments
import Authoring
import Console
import Reports
import Supervision
import Text
import Trace

/// `threadlab run NAME`: runs a scenario on real threads or under the scheduler, once or many times, and prints the
/// trace and how it ended.
package enum RunAction: Action {
    package struct Options: OptionGroup {
        let name: Listed<String>
        let against: Listed<String?>
        let native, follow, controlled: Listed<Bool>
        let seed: Listed<UInt64?>
        let runs: Listed<Int>
        let timeout: Listed<UInt64>
        let rules: ListedGroup<RuleOptions>
        let trace: ListedGroup<TraceOutput.Options>

        package init(_ list: inout OptionList) {
            name = list.one(
                "NAME", .scenario,
                "A scenario or program from 'show', a .lab file, a compiled program's path, or - for standard input")
            native = list.flag("native", "Run on real POSIX threads; this is the default, except for compiled programs")
            follow = list.flag(
                "follow", "Show what the threads of a native run do while it runs; then only how it ended")
            controlled = list.flag("controlled", "Run one step at a time, in an order chosen by the seed")
            seed = list.seed(
                "seed", "Seed of a controlled run, by default 1; implies --controlled")
            runs = list.integer(
                "runs", in: 1...1_000_000, default: 1,
                "Run N times, with seeds S, S+1, …; over \(Repetition.fewRuns) runs, print only a summary. --save then saves the "
                    + "first run that ended unexpectedly, or else did not complete, or else the first")
            timeout = list.duration(
                "timeout", in: 1_000_000...RunPlan.longestTimeout, default: DurationText.write(UsualTime.run),
                "Time limit per run; more if the scenario's parameters take longer; waiting for a processor does not count"
            )
            against = list.against()
            trace = list.group()
            rules = list.group()
            list.exclude(
                [[native, controlled], [native, seed], [follow, controlled], [follow, seed], [follow, runs]]
                    + rules.options.flatMap { [[native, $0], [follow, $0]] })
        }
    }

    package static let command = TypedCommand<Options>(
        "run", "Run a scenario, and print its trace and how it ended",
        discussion: """
            Runs on real POSIX threads, in a process of its own. With --controlled, --seed, or an option \
            for controlled runs such as --timeouts, the threads take one step at a time instead, and the same seed \
            gives the same run. 'replay' repeats a schedule.

            A compiled program ('help cc') is always run controlled; without threadlab it runs on real threads. It is \
            named by its path, and its own arguments follow two hyphens: 'run ./app -- ARGUMENTS'.

            --runs counts how often each outcome occurs, and names the first seed of each. It is fast for controlled \
            runs without --format. With --format text, lanes or json each run is a process and prints a line; native \
            runs are always processes.

            --follow shows a native run on standard error while it runs: its latest steps, and on a terminal a line \
            for each thread, which says what it waits for and holds, and for how long. Without --format the trace is \
            then not printed.

            The exit code is 0 if the run ended as the variant expects, 1 if it did not, 2 if the command line is \
            wrong, 3 if threadlab itself failed, and if the run was interrupted, 128 plus the signal: 130 for \
            Ctrl-C, 143 for SIGTERM. Output of the scenario itself goes to standard error.
            """,
        takesScenarioOptions: true,
        onlyReads: true,
        usual: [
            "native", "follow", "controlled", "seed", "runs", "timeout", "format", "diagnose", "save", "html", "all",
            "code",
            "model", "max-steps",
        ],
        formerOptions: FormerExports.options(
            and: [
                "trace": .option("--save"), "repeat": .option("--runs"),
                "schedule": .line("replay NAME --schedule S"),
            ]),
        examples: [
            Example("run deadlock", "two real threads that wait for each other"),
            Example("run deadlock --variant ordered --format lanes", "the fixed variant, one column per thread"),
            Example("run producer-consumer --follow", "what real threads do, while they do it"),
            Example("run producer-consumer --seed 7 --capacity 1", "one reproducible interleaving"),
        ],
        scenarioExamples: [
            Example("run NAME --seed 1 --format lanes", "one reproducible interleaving, one column per thread"),
            Example("run NAME --variant VARIANT", "another variant, on real threads"),
        ])

    package static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        try session.files.judge(against: arguments.against)
        var scenario = try session.configured(arguments.name, arguments)
        var output = try TraceOutput(arguments.trace, session)
        let follows = arguments.follow
        if follows && !output.isFormatChosen { output.format = .none }
        let count = arguments.runs
        let mode = try mode(arguments, scenario)
        if case .native = mode {} else { try scenario.requireScheduler(for: "run") }
        let rules = try arguments.rules.rules(for: &scenario)
        var plan = RunPlan(
            scenario, mode, timeout: arguments.isGiven(\.timeout) ? arguments.timeout : nil, rules: rules)
        if case .controlled = mode { plan.raisesSteps = !arguments.rules.isGiven(\.maximumSteps) }
        if count == 1 { return try output.run(plan, follows ? RunFollower(arguments.trace.printed.color) : nil) }
        var repetition = Repetition(plan, count: count, output: output)
        return try repetition.run()
    }

    /// Real threads, or the scheduler with a seed. Options that only the scheduler understands choose the scheduler,
    /// too.
    private static func mode(
        _ arguments: TypedArguments<Options>, _ scenario: any Runnable
    ) throws(Complaint) -> RunPlan.Mode {
        if scenario.isControlledOnly && (arguments.native || arguments.follow) {
            throw Complaint("run: \(scenario.name) runs on real threads when it is started without threadlab")
        }
        if let seed = arguments.seed { return .controlled(seed: seed) }
        return arguments.controlled || scenario.isControlledOnly || !arguments.rules.given.isEmpty
            ? .controlled(seed: 1) : .native
    }
}
