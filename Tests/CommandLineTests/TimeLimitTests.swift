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
        "check --builtin --filter trouble/busy --time 1ms",
        "check --builtin --filter trouble/busy --controlled --time 1ms",
        "check --builtin --filter trouble/busy --filter mishap/hang --total-time 1ms",
    ]) func `a scenario of Swift that never ends is given up`(words: String) throws {
        try plugin(words.split(separator: " ").map(String.init)).wide.run().exits(with: 1)
            .prints("undecided: no execution ended within the time limit").doesNotPrint("s expected")
    }

    @Test func `so it is in other formats, with other executions that end, and on real threads`() throws {
        let busy = ["explore", "trouble", "--variant", "busy", "--step-time", "1h", "--time", "1ms"]
        try plugin(busy + ["--keep-going", "--format", "json"]).run().exits(with: 1).printsJSONLines()
            .prints(#""conclusion":"undecided","expected":false,"executions":0,"#).prints(#""stop":"time","#)
        // The first execution ends, if there is time for it, and the second one hangs.
        let hang = try plugin(
            "explore", "mishap", "--variant", "hang", "--step-time", "1h", "--time", "1ms", "--keep-going"
        )
        .wide.run().exits(with: 1)
        let isUndecided = hang.output.hasPrefix("undecided: no execution ended")
        #expect(isUndecided || hang.output.hasPrefix("no finding: in 1 execution, "), "\(hang.output)")
        #expect(
            isUndecided || hang.output.contains("Not as expected: some execution should end in timeout, but none did."))
        try plugin("check", "--builtin", "--filter", "trouble/busy", "--native", "--time", "1ms").run()
            .exits(with: 1).prints("undecided: no time for a run on real threads")
    }

    @Test(arguments: [
        "explore large.lab --time 1ms", "explore large.lab --time 1ms --keep-going",
        "explore large.lab --time 1ms --outcomes", "explore large.lab --time 1ms --outcomes --model rc11",
        "explore large.lab --time 1ms --suggest", "explore large.lab --time 1ms --model rc11 --suggest",
        "check large.lab --time 1ms", "check large.lab --total-time 1ms",
    ]) func `a file is given up`(words: String) throws {
        _ = try directory.write("large.lab", Array(("scenario \"x\"\n" + Self.large).utf8))
        let ended = try Invocation(
            program: Programs.threadlab, arguments: words.split(separator: " ").map(String.init)
        ).wide.inDirectory(directory.path).run()
        // How many executions there is time for depends on the machine.
        if ended.output.contains("undecided: ") {
            ended.exits(with: 1).prints("undecided: no execution ended").doesNotPrint("s expected")
        } else {
            ended.exits(with: 0).doesNotPrint("proved")
            #expect(
                ended.output.contains(/^no finding: in \d+ executions?, .*: not a proof; the time limit was reached/)
                    || ended.output.contains(#/  completed in [\d,]+ executions? \(no proof: time limit reached\)/#)
                    || words.contains("--outcomes") && ended.output.contains("; the time limit was reached."),
                "\(ended.output)")
        }
    }

    @Test func `a submission is given up, which is no verdict`() throws {
        let task = """
            scenario "x"
            given atomic n = 0
            given func add() { n.add(1) }
            thread t[4] { repeat 100 { add() } }
            expect completes

            """
        for folder in ["tasks", "anna"] { try directory.directory(folder) }
        for path in ["task.lab", "answer.lab", "tasks/task.lab", "anna/task.lab"] {
            _ = try directory.write(path, Array(task.utf8))
        }
        try threadlab("check", "answer.lab", "--against", "task.lab", "--time", "1ms").wide.inDirectory(directory.path)
            .run().exits(with: 1).prints("OPEN answer.lab\n").prints("\n0 passed, 1 undecided (")
        try threadlab("learn", "grade", "tasks", "anna", "--time", "1ms").wide.inDirectory(directory.path).run().exits(
            with: 0
        )
        .prints("anna     undecided  0 of 1\n").prints("0 of 1 submissions passed\n")
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
            .prints("undecided: no execution ended within the time limit\n")
            .prints("Give it more time (--time 5m; --total-time, if all of that was over), or make it smaller.\n")
            .doesNotPrint("proved")
    }
}
