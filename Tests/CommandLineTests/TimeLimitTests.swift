import Glibc
import Testing

/// Every front end ends when its time is over, with a result, whatever kind of program it is and though its executions never end. No time is
/// measured: a phase that did not ask for it would not end.
@Suite struct TimeLimitTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Too large to be searched.
    private static let large = "atomic n = 0\nthread t[4] { repeat 100 { n.add(1) } }\nexpect completes\n"

    @Test(arguments: [
        "explore trouble --variant busy --step-time 1h --time 1ms",
        "explore trouble --variant busy --step-time 1h --time 1ms --strategy random --jobs 2",
        "explore trouble --variant busy --step-time 1h --time 1ms --keep-going --format json",
        "explore mishap --variant hang --step-time 1h --time 1ms --keep-going",
        "check --builtin --filter trouble/busy --time 1ms",
        "check --builtin --filter trouble/busy --controlled --time 1ms",
        "check --builtin --filter trouble/busy --native --time 1ms",
        "check --builtin --filter trouble/busy --filter mishap/hang --total-time 1ms",
    ]) func `a scenario of Swift that never ends is given up`(words: String) throws {
        let ended = try plugin(words.split(separator: " ").map(String.init)).run()
        #expect([0, 1].contains(ended.code), "\(ended.code)")
        #expect(!ended.output.isEmpty)
    }

    @Test(arguments: [
        "explore large.lab --time 1ms", "explore large.lab --time 1ms --keep-going",
        "explore large.lab --time 1ms --outcomes", "explore large.lab --time 1ms --outcomes --model rc11",
        "explore large.lab --time 1ms --suggest", "explore large.lab --time 1ms --model rc11 --suggest",
        "check large.lab --time 1ms", "check large.lab --total-time 1ms",
        "check large.lab --against task.lab --time 1ms", "grade tasks anna --time 1ms",
    ]) func `a file is given up`(words: String) throws {
        _ = try directory.write("large.lab", Array(("scenario \"x\"\n" + Self.large).utf8))
        let task = """
            scenario "x"
            given atomic n = 0
            given func add() { n.add(1) }
            thread t[4] { repeat 100 { add() } }
            expect completes

            """
        for folder in ["tasks", "anna"] { try directory.directory(folder) }
        for path in ["task.lab", "tasks/task.lab", "anna/task.lab"] { _ = try directory.write(path, Array(task.utf8)) }
        let ended = try Invocation(
            program: Programs.threadlab, arguments: words.split(separator: " ").map(String.init)
        ).inDirectory(directory.path).run()
        #expect([0, 1].contains(ended.code), "\(ended.code)")
        #expect(!ended.output.isEmpty)
    }

    @Test func `a compiled program that never ends is given up`() throws {
        let program = try CProgram("accepts")
        for words in [["--time", "1ms"], ["--time", "1ms", "--keep-going", "--strategy", "random"]] {
            try program.threadlab(["explore", program.path] + words).exits(with: 1).prints(
                "undecided: no execution ended; the time limit was reached.")
        }
    }

    @Test func `what is not begun before the whole time is over is not called good`() throws {
        try directory.directory("labs")
        for name in ["a", "b", "c"] {
            _ = try directory.write("labs/\(name).lab", Array(("scenario \"x\"\n" + Self.large).utf8))
        }
        try Invocation(
            program: Programs.threadlab,
            arguments: ["check", "labs", "--total-time", "1ms", "--jobs", "1", "--controlled"]
        ).inDirectory(directory.path).run().exits(with: 1)
            .prints("Give it more time (--time 5m; --total-time, if all of that was over), or make it smaller.")
    }
}
