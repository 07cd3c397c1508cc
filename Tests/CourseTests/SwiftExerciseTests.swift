import Supervision
import Testing

@testable import Course

/// Exercises in Swift: how they are read, and what is said of what the compiler and the tests print.
@Suite struct SwiftExerciseTests {
    private static let page = "# It\nKind: swift\nMinutes: 5\n\nDo it.\n\n## Hint\nWhat?\n"

    private static func course(_ name: String = "it", adding more: [String: String] = [:]) -> MemoryCourse {
        var files = ["\(name)/exercise.md": page, "\(name)/task.swift": "// the start\n"]
        files.merge(more.map { ("\(name)/\($0.key)", $0.value) }) { $1 }
        return MemoryCourse.lesson("Text", adding: files)
    }

    private static func exercise() throws -> Exercise {
        let files = ["tests.swift": "// the tests\n", "solution.swift": "a", "wrong-1.swift": "b", "solution.lab": "c"]
        return try #require(course(adding: files).read?.exercises.first)
    }

    @Test func `An exercise in Swift has a start, tests, solutions and mistakes`() throws {
        let exercise = try Self.exercise()
        #expect(exercise.task == "// the start\n")
        #expect(exercise.tests == "// the tests\n")
        #expect(exercise.solutions.map(\.text) == ["a"])
        #expect(exercise.mistakes.map(\.text) == ["b"])
        #expect(exercise.submission == "it.swift")
        #expect(exercise.place == "it/Sources/it.swift")
    }

    @Test func `Tests that are missing, and a name that no module can have, are said`() {
        #expect(Self.course().problems.contains { $0.hasSuffix("it/tests.swift: there is no such file") })
        let named = Self.course("2-threads", adding: ["tests.swift": ""]).problems
        #expect(named.contains { $0.contains("begins with a letter") })
    }

    @Test func `A manifest has a module and tests for each exercise`() throws {
        let part = SwiftPackageText.Part(try Self.exercise(), folder: "01-first/it")
        let manifest = SwiftPackageText([part], checkout: "/a \"b\"").manifest
        #expect(manifest.contains(#"path: "/a \"b\"")"#))
        #expect(manifest.contains(#"name: "It", dependencies"#))
        #expect(manifest.contains(#"path: "01-first/it/Sources""#))
        #expect(part.files.tests == "01-first/it/Tests/tests.swift")
    }

    // MARK: - Judging

    private struct Bench: SwiftBench {
        let run: SwiftTestRun

        func test(_ submission: [UInt8], of exercise: Exercise) -> SwiftTestRun { run }
    }

    private static func output(_ text: String, _ end: ProgramEnd = .exit(0)) -> ProgramOutput {
        ProgramOutput(text: text, end: end)
    }

    private static func ruling(_ build: ProgramOutput, _ tests: ProgramOutput? = nil) throws -> ExerciseRuling {
        let bench = Bench(run: SwiftTestRun(build: build, tests: tests))
        return try ExerciseJudge(exercise(), bench: bench).judge([], file: "mine/it.swift", program: "")
    }

    private static func ruling(tests: String, _ end: ProgramEnd = .exit(0)) throws -> ExerciseRuling {
        try ruling(output("Build complete!"), output(tests, end))
    }

    @Test func `Without a bench nothing is run, and nothing passes`() throws {
        let ruling = try ExerciseJudge(Self.exercise()).judge([], file: "it.swift", program: "")
        #expect(ruling.verdict == .undecided)
        #expect(ruling.code == "not-run")
    }

    @Test func `Tests that pass are counted`() throws {
        let one = try Self.ruling(tests: "✔ Test run with 1 test in 0 suites passed after 0.1 seconds.\n")
        #expect(one.isPassed)
        #expect(one.sentences == ["Its test passes."])
        let many = try Self.ruling(tests: "✔ Test run with 12 tests in 1 suite passed after 0.1 seconds.\n")
        #expect(many.sentences == ["All 12 tests pass."])
    }

    @Test(arguments: [
        ("", ProgramEnd.exit(0)), ("◇ Test a() started.\n", .exit(0)),
        ("✔ Test run with 0 tests in 0 suites passed after 0.1 seconds.\n", .exit(0)),
        ("✔ Test run with 1 test in 0 suites passed after 0.1 seconds.\n", .exit(1)),
        ("Fatal error: no\n", .signal(4)),
    ])
    func `What does not run to its end does not pass`(_ text: String, _ end: ProgramEnd) throws {
        let ruling = try Self.ruling(tests: text, end)
        #expect(ruling.verdict == .failed)
        #expect(ruling.code == "crash")
    }

    private static let failure = """
        ◇ Test "no addition is lost" started.
        ⎙ Attached 'trace.txt' to "no addition is lost".
        ✘ Test "no addition is lost" recorded an issue at tests.swift:7:17: Issue recorded
        ↳ race: Data race: threads first and second access count.
          the closure  controlled
        \("  ")
           1  ●  first  read count = 0  it.swift:9
          first writes count at it.swift:12.
        \("  ")
        ✘ Test "no addition is lost" failed after 0.117 seconds with 1 issue.
        ✘ Test run with 1 test in 0 suites failed after 0.117 seconds with 1 issue.

        """

    @Test func `A failure has its code, its line in the submission, and the report`() throws {
        let ruling = try Self.ruling(tests: Self.failure, .exit(1))
        #expect(ruling.verdict == .failed)
        #expect(ruling.code == "race")
        #expect(ruling.line == 12)
        #expect(ruling.sentences == ["no addition is lost:"])
        #expect(ruling.details.first == "race: Data race: threads first and second access count.")
        #expect(ruling.details.last == "first writes count at it.swift:12.")
        #expect(ruling.details.count == 5)
    }

    @Test func `A warning that not all was tried is no pass`() throws {
        let text = """
            ⚠ Test "a" recorded a warning at tests.swift:7:17: Issue recorded
            ↳ 1,000 executions of more were tried.
            ✔ Test "a" passed after 0.1 seconds with 1 warning.
            ✔ Test run with 1 test in 0 suites passed after 0.1 seconds with 1 warning.

            """
        let ruling = try Self.ruling(tests: text)
        #expect(ruling.verdict == .undecided)
        #expect(ruling.details == ["1,000 executions of more were tried."])
    }

    @Test func `Errors of the compiler are shown once, with the learner's path`() throws {
        let error = """
            /cache/exercise/Sources/it.swift:9:42: error: value of type 'Int' has no member 'updat'
             7 |     public init() {}
             9 |     public func add() throws { try count.updat { $0 + 1 } }
               |                                          `- error: value of type 'Int' has no member 'updat'

            """
        let ruling = try Self.ruling(Self.output("[1/2] Compiling It\n\(error)\n\(error)", .exit(1)))
        #expect(ruling.verdict == .wrong)
        #expect(ruling.line == 9)
        #expect(ruling.details.first == "mine/it.swift:9:42: error: value of type 'Int' has no member 'updat'")
        #expect(ruling.details.count == 4)
    }

    @Test func `What the tests miss is the submission's, and other trouble is not`() throws {
        let missing = "/cache/exercise/Tests/tests.swift:9:40: error: value of type 'Counter' has no member 'add'\n"
        let wrong = try Self.ruling(Self.output(missing, .exit(1)))
        #expect(wrong.verdict == .wrong)
        #expect(wrong.details == ["tests.swift:9:40: error: value of type 'Counter' has no member 'add'"])
        let other = try Self.ruling(Self.output("error: the disk is full\n", .exit(1)))
        #expect(other.verdict == .undecided)
        #expect(other.details == ["error: the disk is full"])
    }

    @Test func `What takes too long is not decided`() throws {
        #expect(try Self.ruling(Self.output("", .tooLong)).verdict == .undecided)
        #expect(try Self.ruling(tests: Self.failure, .tooLong).verdict == .undecided)
    }
}
