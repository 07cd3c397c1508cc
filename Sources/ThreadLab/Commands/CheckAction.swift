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
    private static let both = TypedOption.flag("both", "Do both, as is usual")
    private static let runs = TypedOption.integer(
        "runs", in: 1...Int.max,
        "The most executions of a search, and runs on real threads; of those, \(usualNativeRuns) are usual")
    private static let seed = TypedOption.seed("seed", default: 1, "The seed of the searches' random strategies")
    private static let time = TypedOption.duration(
        "time", in: 1_000_000...86_400_000_000_000, default: "10s",
        "So long may a scenario's search take, and its runs on real threads: half each")
    private static let jobs = TypedOption.integer(
        "jobs", in: 1...1024, "How many at a time; as many as there are cores")
    private static let failFast = TypedOption.flag("fail-fast", "Begin with no further one when one has failed")
    private static let tap = TypedOption.flag("tap", "Write it in the Test Anything Protocol")
    private static let junit = TypedOption.file("junit", "Write it to this file too, as JUnit does")

    static let command = Command(
        "check", "Hold many scenarios to what they expect",
        discussion: """
            Takes each .lab file that is named or found in a folder, and with --builtin every variant of every scenario \
            of this program, searches its interleavings as 'explore' does, and runs it a few times on real threads. It passes if \
            nothing ended in a way that it does not allow, and something in each way that it promises. Whether that is \
            proved, because all interleavings were tried, or why it is not, stands beside it. Where all that is promised was seen, \
            a search ends after 10000 executions that showed nothing new.

            The exit code is 0 if all passed, 1 if some did not, 2 if a file is wrong (the others still run), 3 if the \
            program itself failed, and 130 if the check was interrupted; the greatest that applies.
            """,
        positionals: [paths],
        options: [
            builtIn, CheckSubject.filter, native, controlled, both, runs, seed, time, jobs, failFast, OutputForm.option,
            tap,
            junit, Terminal.colourOption,
        ],
        exclusive: [[native, controlled, both], [tap, OutputForm.option]],
        examples: [
            Example("check scenarios", "the .lab files of a folder"),
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

    /// Whether it came to its end without being interrupted.
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
