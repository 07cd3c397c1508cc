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
