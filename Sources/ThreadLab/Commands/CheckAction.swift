import Arguments
import Diagnosis
import Glibc
import Reports
import Scenarios
import Supervision
import Trace

/// `threadlab check PATH...`
enum CheckAction: Action {
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
        positionals: [Positional("PATH", .file, "A .lab file, or a folder of them", .anyNumber)],
        options: [
            .flag("builtin", "Check every variant of every scenario of this program"),
            .text("filter", placeholder: "GLOB", "Only those whose name, or the last part of it, is like this"),
            .flag("native", "Run on real threads only"),
            .flag("controlled", "Search under the scheduler only"),
            .flag("both", "Do both, as is usual"),
            .integer(
                "runs", in: 1...Int.max, placeholder: "N",
                "The most executions of a search, and runs on real threads; of those, \(usualNativeRuns) are usual"),
            .seed("seed", default: 1, "The seed of the searches' random strategies"),
            .duration(
                "time", in: 1_000_000...86_400_000_000_000, default: "10s",
                "So long may a scenario's search take, and its runs on real threads: half each"),
            .integer("jobs", in: 1...1024, placeholder: "N", "How many at a time; as many as there are cores"),
            .flag("fail-fast", "Begin with no further one when one has failed"),
            .choice("format", ["text", "json"], default: "text", placeholder: "FORMAT", "How to write it"),
            .flag("tap", "Write it in the Test Anything Protocol"),
            .file("junit", "Write it to this file too, as JUnit does"), TraceOutput.colourOption,
        ],
        exclusive: [["native", "controlled", "both"], ["tap", "format"]],
        examples: [
            Example("check scenarios", "the .lab files of a folder"),
            Example("check --builtin --filter 'deadlock/*'", "the variants of one scenario"),
            Example("check . --junit report.xml --fail-fast", "in CI"),
        ])

    private static let usualNativeRuns = 3

    static func run(_ arguments: ParsedArguments, in session: Session) throws -> ExitCode {
        let destination = try arguments.text("junit").map { path throws(Complaint) in
            try NewFile(at: path, for: "the report", orElse: "name a file")
        }
        let subjects = try CheckSubject.all(
            paths: arguments.texts("PATH"), builtIn: arguments.flag("builtin"), filter: arguments.text("filter"),
            session)
        let form: CheckOutput.Form =
            arguments.flag("tap") ? .tap : arguments.text("format") == "json" ? .json : .text
        var output = CheckOutput(
            form, names: subjects.map(\.name), session.terminal,
            Terminal.ColourChoice(rawValue: arguments.text("color")!)!)
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
        let failsFast = arguments.flag("fail-fast")
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
        let check = Check(scenarios.map(\.scenario), plan, jobs: arguments.integer("jobs") ?? cores)
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
        let runs = arguments.integer("runs")
        let isNative = arguments.flag("native")
        let isControlled = arguments.flag("controlled")
        return CheckPlan(
            executions: isNative ? 0 : runs ?? .max,
            nativeRuns: isControlled ? 0 : isNative ? runs ?? usualNativeRuns : min(runs ?? .max, usualNativeRuns),
            seed: arguments.seed("seed")!, time: arguments.duration("time")!)
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
