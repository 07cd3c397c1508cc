import Arguments
import Authoring
import Diagnosis
import Glibc
import Reports
import Supervision
import Trace

/// `threadlab check PATH...`
enum CheckAction: Action {
    private static let paths = TypedPositional.any("PATH", .file, "A .lab file, or a folder of them")
    private static let builtIn = TypedOption.flag("builtin", "Check every variant of every scenario of this program")
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
    private static let jobs = TypedOption.integer(
        "jobs", in: 1...1024, "Scenarios to check in parallel, by default one per processor core")
    private static let failFast = TypedOption.flag("fail-fast", "Stop starting scenarios after the first failure")
    private static let tap = TypedOption.flag("tap", "Print the report in the Test Anything Protocol")
    private static let junit = TypedOption.file("junit", "Also write a JUnit XML report to this file")

    static let command = Command(
        "check", "Check that scenarios end as they expect",
        discussion: """
            Checks each .lab file that is named or found in a folder and, with --builtin, every variant of every \
            built-in scenario. For each it searches the interleavings as 'explore' does, and runs the scenario a few \
            times on real threads. A scenario passes if every outcome observed is one it allows and every outcome it \
            promises was observed. The report says whether the result is proved (all interleavings tried) and, if \
            not, why. Once every promised outcome has been observed, a search stops after 10000 executions without \
            anything new.

            The exit code is 0 if all scenarios passed, 1 if some failed, 2 if a file has errors (the others still \
            run), 3 if threadlab itself failed, and 130 if the check was interrupted. If several apply, it is the \
            greatest.
            """,
        positionals: [paths],
        options: [
            builtIn, CheckSubject.filter, native, controlled, both, runs, seed, time, jobs, failFast, OutputForm.option,
            tap,
            junit, Terminal.colourOption,
        ],
        exclusive: [[native, controlled, both], [tap, OutputForm.option]],
        examples: [
            Example("check scenarios", "the .lab files in a folder"),
            Example("check --builtin --filter 'deadlock/*'", "the variants of one scenario"),
            Example("check . --junit report.xml --fail-fast", "in CI"),
        ])

    private static let usualNativeRuns = 3

    static func run(_ arguments: ParsedArguments, in session: Session) throws -> ExitCode {
        let destination = try arguments[junit].map { path throws(Complaint) in
            try NewFile(at: path, for: "the report", orElse: "name a file")
        }
        let subjects = try CheckSubject.all(
            paths: arguments[paths], builtIn: arguments[builtIn], filter: arguments[CheckSubject.filter],
            session)
        let form: CheckOutput.Form =
            arguments[tap] ? .tap : arguments[OutputForm.option] == .json ? .json : .text
        var output = CheckOutput(
            form, names: subjects.map(\.name), session.terminal, arguments[Terminal.colourOption])
        let isWhole = try check(subjects, arguments, session, &output)
        try output.end(isInterrupted: !isWhole)
        let results = output.results
        try destination?.write { JUnitReport(results, duration: output.duration).write(to: &$0) }
        return isWhole ? code(CheckTally(results)) : .interrupted
    }

    /// Whether the check finished without being interrupted.
    private static func check(
        _ subjects: [CheckSubject], _ arguments: ParsedArguments, _ session: Session, _ output: inout CheckOutput
    ) throws -> Bool {
        let failsFast = arguments[failFast]
        let plan = plan(arguments)
        try output.start()
        var scenarios: [(number: Int, scenario: any Runnable)] = []
        for (number, subject) in subjects.enumerated() {
            switch subject.content {
            case .scenario(let scenario): scenarios.append((number, scenario))
            case .wrong(let message):
                try output.note(number, CheckedScenario(subject.name, .wrong(message)))
                if failsFast { return true }
            }
        }
        let check = Check(scenarios.map(\.scenario), plan, jobs: arguments[jobs] ?? cores)
        return try check.run { index, result in
            let (number, scenario) = scenarios[index]
            let verdict = verdict(on: scenario, result) { mismatch in
                "\(session.program) \(scenario.arguments(showing: mismatch, seed: plan.seed))"
            }
            try output.note(
                number,
                CheckedScenario(
                    subjects[number].name, verdict, expectation: scenario.expectation.description,
                    states: scenario.soughtStates, evidence: result.evidence, duration: result.duration))
            return !(failsFast && verdict.isFailure)
        } progress: { running in
            try output.progress(running.map { scenarios[$0].number })
        }
    }

    private static func plan(_ arguments: ParsedArguments) -> CheckPlan {
        let runs = arguments[runs]
        let isNative = arguments[native]
        let isControlled = arguments[controlled]
        return CheckPlan(
            executions: isNative ? 0 : runs ?? .max,
            nativeRuns: isControlled ? 0 : isNative ? runs ?? usualNativeRuns : min(runs ?? .max, usualNativeRuns),
            seed: arguments[seed], time: arguments[time])
    }

    private static func verdict(
        on scenario: any Runnable, _ result: TrialResult, command: (Mismatch) -> String
    ) -> CheckedScenario.Verdict {
        if let failure = result.failure { return .error(failure) }
        let mismatches = Judgement.mismatches(
            result.evidence, scenario.expectation, states: scenario.soughtStates)
        if mismatches.isEmpty { return .asExpected }
        return .mismatched(mismatches.map { CheckedScenario.Flaw($0, command: command($0)) })
    }

    private static func code(_ tally: CheckTally) -> ExitCode {
        if tally.errors > 0 { return .failure }
        if tally.wrong > 0 { return .usage }
        return tally.failed > 0 ? .finding : .expected
    }

    private static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
