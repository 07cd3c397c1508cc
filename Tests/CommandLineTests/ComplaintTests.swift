import Testing

/// A wrong command line is reported in one line on standard error, with what to write instead; nothing is run.
@Suite struct ComplaintTests {
    struct Case: CustomTestStringConvertible {
        let words: [String]
        let complaint: String

        init(_ line: String, _ complaint: String) {
            words = line.split(separator: " ").map(String.init)
            self.complaint = complaint
        }

        var testDescription: String { words.joined(separator: " ") }
    }

    static let cases = [
        Case("rnu", "unknown command 'rnu': did you mean 'run'?"),
        Case("wat", "unknown command 'wat': 'threadlab help' lists the commands"),
        Case("--format lanes run deadlock", "options follow the command: threadlab run deadlock --format lanes"),
        Case("--seed=3 run deadlock", "options follow the command: threadlab run deadlock --seed=3"),
        Case("--save run run deadlock", "options follow the command: threadlab run deadlock --save run"),
        Case(
            "--color never --seed 1 explore deadlock", "options follow the command: threadlab explore deadlock --seed 1"
        ),
        Case("--variant ordered run deadlock", "options follow the command: threadlab run deadlock --variant ordered"),
        Case("--bogus run deadlock", "unknown option '--bogus' for 'threadlab'"),
        Case("-v", "unknown option '-v' for 'threadlab': did you mean '--version'?"),
        Case("-V", "unknown option '-V' for 'threadlab': did you mean '--version'?"),
        Case("--verson", "unknown option '--verson' for 'threadlab': did you mean '--version'?"),
        Case("--version x", "unexpected 'x' after 'threadlab --version'"),
        Case(
            "help rnu",
            "no command or page is called 'rnu': did you mean 'run'?"
        ),
        Case("show basics deadlock", "VARIANT deadlock: it needs --code"),
        Case("show basic", "no scenario or chapter is called 'basic': did you mean 'basics'?"),
        Case("show --format jsn", "--format jsn: must be text or json; did you mean 'json'?"),
        Case("show deadlok", "unknown scenario 'deadlok': did you mean 'deadlock'?"),
        Case(
            "run",
            "'run' needs NAME: a scenario or program from 'show', a .lab file, a compiled program's path, or - for standard "
                + "input"),
        Case("run deadlok", "unknown scenario 'deadlok': did you mean 'deadlock'?"),
        Case(
            "run nope",
            "unknown scenario 'nope': 'threadlab show' lists them; the name of a file ends in '.lab'"),
        Case(
            "run some/file",
            "unknown scenario 'some/file': 'threadlab show' lists them; the name of a file ends in '.lab'"),
        Case("run nothing.lab", "cannot read nothing.lab: No such file or directory"),
        Case("run deadlock --sed 3", "unknown option '--sed' for 'run deadlock': did you mean '--seed'?"),
        Case("run deadlock --capacity 3", "unknown option '--capacity' for 'run deadlock'"),
        Case(
            "explore deadlock --native", "unknown option '--native' for 'explore deadlock': 'run' and 'check' have it"),
        Case("explore deadlock --follow", "unknown option '--follow' for 'explore deadlock': 'run' has it"),
        Case("run -x.lab", "unknown option '-x.lab' for 'run': did you mean './-x.lab'?"),
        Case("check -x.lab", "unknown option '-x.lab' for 'check': did you mean './-x.lab'?"),
        Case("run deadlock --html -", "cannot save the page in '-': give it a name; standard output has the report"),
        Case("new /proc/x", "cannot create /proc/x.lab: '/proc' takes no new files"),
        Case("run deadlock --seed", "--seed needs a value: --seed N"),
        Case("run deadlock --seed x", "--seed x: must be a whole number from 0 to 18446744073709551615"),
        Case("run deadlock --seed -1", "--seed -1: must be a whole number from 0 to 18446744073709551615"),
        Case("run deadlock --threads 1", "--threads 1: must be from 2 to 32"),
        Case("run deadlock --pause 2s", "--pause 2s: must be at most 1s"),
        Case("run deadlock --pause 2", "--pause 2: must be a time such as 10s, 250ms or 1.5s, at most 1s"),
        Case("run deadlock --timeout 0s", "--timeout 0s: must be from 1ms to 24h"),
        Case("run deadlock --runs 0", "--runs 0: must be from 1 to 1000000"),
        Case("run deadlock --seed 1 --native", "--native and --seed cannot be used together"),
        Case("run deadlock --native --timeouts any", "--native and --timeouts cannot be used together"),
        Case("run deadlock --follow --seed 1", "--follow and --seed cannot be used together"),
        Case("run deadlock --follow --runs 2", "--follow and --runs cannot be used together"),
        Case("run deadlock --save=", "--save '': must be a path"),
        Case("replay deadlock --schedule a", "--schedule: part 1, 'a', is not a thread's number like 2 or 2x5"),
        Case(
            "replay deadlock --schedule 0,9",
            "the schedule does not fit: choice 2 is thread 9, but there is no such thread: thread 0 (main) or 1 (first) can"
        ),
        Case(
            "replay deadlock --schedule 0x3",
            "the schedule does not fit: choice 3 is thread 0 (main), but it cannot step there: thread 1 (first) or 2 (second) can"
        ),
        Case(
            "replay deadlock --schedule 0=1",
            "the schedule does not fit: choice 2 is =1, an alternative of a step, where thread 0 (main) or 1 (first) must step"
        ),
        Case(
            "replay deadlock --schedule 0,1x2,0,2x3,1x50",
            "the schedule does not fit: the run ended before the schedule did: 49 choices are left over"),
        Case("replay deadlock", "replay deadlock: give the schedule with --schedule"),
        Case("replay nothing.lab", "cannot read nothing.lab: No such file or directory"),
        Case("replay deadlok", "unknown scenario 'deadlok': did you mean 'deadlock'?"),
        Case("replay /nowhere/x.trace", "cannot read /nowhere/x.trace: No such file or directory"),
        Case("trace", "'trace' needs FILE: the trace; with --findings, any number of them"),
        Case("trace /nowhere/x", "cannot read /nowhere/x: No such file or directory"),
        Case("trace /tmp", "/tmp is a directory"),
        Case("trace /dev/null", "/dev/null is not a regular file"),
        Case("new", "'new' needs NAME: name of the new file, with or without .lab; its folder must exist"),
        Case("format", "'format' needs FILE: a .lab file, a folder, or - for standard input"),
        Case("format --check --in-place x", "--check and --in-place cannot be used together"),
        Case("format - -", "FILE -: standard input can be read only once"),
        Case(
            "format --in-place -",
            "--in-place and FILE -: standard input cannot be rewritten in place: omit one of them"),
        Case("format nothing.lab", "cannot read nothing.lab: No such file or directory"),
        Case("format /dev/null", "/dev/null is not a regular file"),
        Case("--completion", "--completion needs a value: --completion SHELL"),
        Case("--completion bahs", "--completion bahs: must be bash, zsh or fish; did you mean 'bash'?"),
    ]

    @Test func `a file that is not a .lab file is not searched for among the scenarios`() throws {
        let directory = try TemporaryDirectory()
        let trace = try directory.write("x.trace", Array("{}".utf8))
        _ = try directory.write("y.lab", [])
        for command in ["run", "show", "explore"] {
            try threadlab(command, trace).run().exits(with: 2).complains(
                "\(trace) is not a .lab file: if it is a saved trace, 'threadlab replay \(trace)' repeats the run")
            let word = directory.file("y")
            try threadlab(command, word).run().exits(with: 2).complains(
                "unknown scenario '\(word)': did you mean '\(word).lab'?")
        }
    }

    @Test(arguments: cases) func `a wrong command line is reported in one line`(wrong: Case) throws {
        try Invocation(program: Programs.threadlab, arguments: wrong.words).run()
            .exits(with: 2).complains(wrong.complaint).printsNothing()
    }

    @Test func `a wrong variant is reported with all known ones`() throws {
        try threadlab("run", "deadlock", "--variant", "oposite-orders").run().exits(with: 2).printsNothing()
            .complainsInOneLine(about: "ring, philosophers or philosophers-ordered; did you mean 'opposite-orders'?")
    }

    @Test func `what a terminal would act on is not echoed`() throws {
        for word in ["\u{1B}[31mred", "two\nlines", "\u{7}", "\u{202E}kcab"] {
            try threadlab(word).run().exits(with: 2).complainsInOneLine(about: "unknown command").printsNothing()
            try threadlab("run", word).run().exits(with: 2).complainsInOneLine(about: "unknown scenario")
                .printsNothing()
            try threadlab("trace", word).run().exits(with: 2).complainsInOneLine(about: "cannot read").printsNothing()
        }
    }

    @Test func `a very long word is cut short`() throws {
        let word = String(repeating: "x", count: 100_000)
        let complaint = try threadlab("run", word).run().exits(with: 2).complainsInOneLine(about: "unknown scenario")
            .errors
        #expect(complaint.utf8.count < 400)
    }
}
