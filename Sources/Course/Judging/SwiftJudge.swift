import Diagnosis
import Supervision
import Text
import Trace

/// Builds a submission in Swift with the tests of its exercise, and runs them.
package protocol SwiftBench {
    /// - Parameter submission: the learner's file.
    /// - Throws: an error that says why nothing can be built, for example because there is no compiler.
    func test(_ submission: [UInt8], of exercise: Exercise) throws -> SwiftTestRun
}

/// The output of the compiler and of the tests of a submission.
package struct SwiftTestRun: Sendable {
    package let build: ProgramOutput
    /// Nil: the tests were not run, because they could not be built.
    package let tests: ProgramOutput?

    package init(build: ProgramOutput, tests: ProgramOutput?) {
        self.build = build
        self.tests = tests
    }
}

/// Judges a submission in Swift by the output of the compiler and of the exercise's tests.
///
/// A submission is a program with the user's rights, and runs in one process with the tests, so it could forge their
/// output. A ruling helps a learner, but does not prove that a submission is honest.
struct SwiftJudge {
    let exercise: Exercise
    /// The name of the learner's file in messages.
    let file: String

    func judge(_ submission: [UInt8], on bench: any SwiftBench) throws -> ExerciseRuling {
        let run = try bench.test(submission, of: exercise)
        guard let tests = run.tests else { return ruling(onBuild: run.build) }
        return ruling(onTests: tests)
    }

    // MARK: - The compiler

    /// The maximum number of compiler errors that are shown.
    private static let mostErrors = 3
    /// The maximum number of lines of a test's message that are shown.
    private static let mostLines = 60
    /// The maximum number of lines that are shown from the end of the output: of a build that fails for another reason
    /// than the learner's file, and of tests that do not run to their end.
    private static let mostLastLines = (ofBuild: 5, ofTests: 10)

    private func ruling(onBuild build: ProgramOutput) -> ExerciseRuling {
        if build.end == .tooLong {
            return ExerciseRuling(verdict: .undecided, code: "error", sentences: ["Building it took too long."])
        }
        let errors = CompilerError.errors(in: build.text)
        let own = errors.filter { $0.path.hasSuffix("/" + exercise.submission) }
        if !own.isEmpty {
            return ExerciseRuling(
                verdict: .wrong, code: "error", sentences: [],
                details: own.prefix(Self.mostErrors).flatMap { lines($0) },
                line: own[0].line)
        }
        guard let first = errors.first(where: { $0.path.hasSuffix("/" + SwiftPackageText.testFile) }) else {
            let last = build.text.split(separator: "\n").suffix(Self.mostLastLines.ofBuild).map {
                String($0).printable
            }
            return ExerciseRuling(
                verdict: .undecided, code: "error", sentences: ["It cannot be built, and not because of your file."],
                details: last)
        }
        return ExerciseRuling(
            verdict: .wrong, code: "error",
            sentences: ["The tests use something of your file that is not there, or is different."],
            details: lines(first))
    }

    /// A compiler error as it is shown, with the learner's name of the file.
    private func lines(_ error: CompilerError) -> [String] {
        let name = error.path.hasSuffix("/" + exercise.submission) ? file : SwiftPackageText.testFile
        return ["\(name.printable):\(error.line):\(error.column): error: \(error.message.printable)"]
            + error.excerpt.map { $0.printable }
    }

    // MARK: - The tests

    private func ruling(onTests tests: ProgramOutput) -> ExerciseRuling {
        if tests.end == .tooLong {
            return ExerciseRuling(
                verdict: .undecided, code: "undecided", sentences: ["The tests took too long, and were ended."])
        }
        let report = TestReport(tests.text)
        if let issue = report.issues.first { return ruling(on: issue, .failed) }
        guard let count = report.passed, tests.end == .exit(0) else {
            let sentence =
                if case .signal(let number) = tests.end { "The tests were ended by signal \(number)." } else {
                    "The tests did not run to their end."
                }
            return ExerciseRuling(
                verdict: .failed, code: "crash", sentences: [sentence],
                details: tests.text.split(separator: "\n").suffix(Self.mostLastLines.ofTests).map {
                    String($0).printable
                })
        }
        if let warning = report.warnings.first { return ruling(on: warning, .undecided) }
        return ExerciseRuling(
            verdict: .passed, sentences: ["\(count == 1 ? "Its test passes" : "All \(count) tests pass")."])
    }

    private func ruling(on issue: TestReport.Issue, _ verdict: ExerciseRuling.Verdict) -> ExerciseRuling {
        // A failure that a search finds begins with the word for its outcome: `deadlock: …`.
        let word = issue.lines.first?.prefix { $0 != ":" } ?? ""
        let kind = OutcomeKind(rawValue: String(word))
        let code = verdict == .undecided ? "undecided" : kind?.rawValue ?? "test"
        var ruling = ExerciseRuling(verdict: verdict, code: code, sentences: ["\(issue.test.printable):"])
        ruling.details = issue.lines.prefix(Self.mostLines).map { $0.printable }
        if issue.lines.count > Self.mostLines { ruling.details.append("…") }
        ruling.codes = [code]
        ruling.line = issue.lines.lazy.compactMap { line(in: $0) }.last
        return ruling
    }

    /// The line of the submission that a report names.
    private func line(in text: String) -> Int? {
        guard let place = text.ranges(of: "\(exercise.submission):").last else { return nil }
        return Int(text[place.upperBound...].prefix { $0.isNumber })
    }
}

/// An error that the Swift compiler prints, with the lines of code below it.
struct CompilerError {
    let path: String
    let line: Int
    let column: Int
    let message: String
    let excerpt: [String]

    static func errors(in output: String) -> [CompilerError] {
        var errors: [CompilerError] = []
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, text) in lines.enumerated() {
            guard let match = text.wholeMatch(of: /(\/[^:]+):(\d+):(\d+): error: (.*)/), let line = Int(match.2),
                let column = Int(match.3)
            else { continue }
            // The compiler prints some errors twice: for the module, and for the file.
            let isKnown = errors.contains { $0.path == match.1 && $0.line == line && $0.column == column }
            if isKnown { continue }
            let excerpt = lines[(number + 1)...].prefix { $0.firstMatch(of: /^ *\d* \| ?/) != nil }
            errors.append(
                CompilerError(
                    path: String(match.1), line: line, column: column, message: String(match.4),
                    excerpt: excerpt.map(String.init)))
        }
        return errors
    }
}
