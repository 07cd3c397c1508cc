import Glibc
import Support
import Testing

/// Which commands start programs: explore, run, replay, play and check for what the user names. No other does, whatever a file says.
@Suite struct ProgramGateTests {
    private let marks: TemporaryDirectory
    /// It leaves a mark when it is started.
    private let program: CProgram

    init() throws {
        marks = try TemporaryDirectory()
        let source = """
            #include <stdio.h>
            __attribute__((constructor)) static void mark(void) { fclose(fopen("\(marks.file("STARTED"))", "w")); }
            int main(void) { return 0; }
            """
        program = try CProgram("app", source: source, compiler: CProgram.clang)
        try program.write("app.lab", "scenario \"app\"\nrun \"./app\"\nexpect completes\n")
    }

    /// Since the last call.
    private func wasStarted() -> Bool { unlink(marks.file("STARTED")) == 0 }

    static let refused: [(command: String, words: [String])] = [
        ("export", ["page.html"]), ("export", []), ("diff", ["app.lab"]), ("export", ["sheet.svg", "--as", "handout"]),
        ("litmus", []),
    ]

    @Test(arguments: refused) func `a command that starts none refuses a file that runs one, and the program itself`(
        command: String, words: [String]
    ) throws {
        for (name, reason) in [("app.lab", "app.lab runs './app'"), ("./app", "'./app' is one")] {
            try program.threadlab([command, name] + words).exits(with: 2).printsNothing()
                .complainsInOneLine(about: "\(command) starts no programs, and \(reason): 'threadlab ")
            #expect(!wasStarted())
        }
        #expect(!program.has("page.html") && !program.has("sheet.svg"))
    }

    @Test func `explore, run, replay, play and check of a file start what it runs, with the user's rights`() throws {
        for words in [
            ["explore", "app.lab", "--runs", "1"], ["run", "app.lab", "--save", "saved"], ["replay", "./saved"],
            ["check", "app.lab", "--controlled"],
        ] {
            _ = try program.threadlab(words).exits(with: 0)
            #expect(wasStarted(), "\(words)")
        }
        _ = try program.play(arguments: [], "quit")
        #expect(wasStarted())
    }

    @Test func `check starts programs of files that are named, and of none that it finds or a configuration names`()
        throws
    {
        let reason = "check starts programs only of files that are named, and"
        try program.threadlab(["check", ".", "--controlled"]).exits(with: 2)
            .prints("\(reason) ./app.lab runs './app': 'threadlab check ./app.lab' starts it")
        #expect(!wasStarted())
        try program.write("threadlab.toml", "[check]\npaths = [\"app.lab\"]\n")
        try program.threadlab(["check", "--controlled"]).exits(with: 2).prints("\(reason) app.lab runs './app'")
        #expect(!wasStarted())
        try program.threadlab(["check", ".", "--list"]).exits(with: 0).prints("app.lab")
        try program.threadlab(["show", "app.lab"]).exits(with: 0)
        #expect(!wasStarted())
        try program.write("plain.lab", "scenario \"plain\"\natomic x = 0\nthread a { x.add(1) }\nexpect completes\n")
        try program.threadlab(["check", "app.lab", "plain.lab", "--controlled"]).exits(with: 0).prints("2 passed")
        #expect(wasStarted())
    }

    /// The file on the disk may run a program when the text in the editor does not.
    @Test func `the check of a language server starts none`() throws {
        try program.threadlab(["__editor", "check", "app.lab", "--controlled"]).exits(with: 2)
            .prints("for an editor nothing is started, and app.lab runs './app': 'threadlab check app.lab' starts it")
        #expect(!wasStarted())
    }

    @Test func `a command line of an editor starts no compiler`() throws {
        try program.threadlab(["__editor", "cc", "--", "cc", "--version"]).exits(with: 2).printsNothing()
            .complainsInOneLine(about: "cc starts a program, 'cc', which a lesson or an editor may not")
        try program.threadlab(["__editor", "cc", "--flags"]).exits(with: 0)
    }

    // MARK: - Courses

    @Test(arguments: ["explore app.lab", "run app.lab", "diff app.lab app.lab", "check app.lab"])
    func `a lesson's command starts no program, by its absolute path neither`(command: String) throws {
        try program.threadlab(["new", "--course", "own"]).exits(with: 0)
        try program.write(
            "own/first-steps/app.lab", "scenario \"x\"\nrun \"\(program.folderPath)/app\"\nexpect completes\n")
        let lesson = try program.read("own/first-steps/lesson.md")
        try program.write("own/first-steps/lesson.md", lesson + "\n```run\nthreadlab \(command)\n```\n")
        let lint = try program.threadlab(["learn", "lint", "--course", "own"]).exits(with: 1)
            .prints("the command ends with exit code 2")
        let site = try program.threadlab(["learn", "--site", "site", "--course", "own"]).exits(with: 2)
        #expect(!wasStarted() && !program.has("site"))
        guard !command.hasPrefix("check") else { return }
        let reason = "a lesson's command starts no programs, and app.lab runs '\(program.folderPath)/app'"
        lint.prints(reason)
        site.complainsInOneLine(about: reason)
    }

    @Test func `a task, a submission and an exercise that run a program are refused`() throws {
        try program.makeFolder("tasks")
        try program.makeFolder("anna")
        let run = "scenario \"x\"\nrun \"../app\"\nexpect completes\n"
        try program.write("tasks/count.lab", run)
        try program.write("anna/count.lab", run)
        try program.threadlab(["learn", "grade", "tasks", "anna"]).exits(with: 2)
            .complainsInOneLine(about: "a program with 'run' cannot be a task")
        try program.write(
            "tasks/count.lab",
            "scenario \"x\"\natomic x = 0\nthread a { x.add(1) }\nexpect completes\ntask { at most 40 lines }\n")
        _ = try program.threadlab(["learn", "grade", "tasks", "anna"]).exits(with: 0)
        #expect(!wasStarted())
        try program.threadlab(["new", "--course", "own"]).exits(with: 0)
        try program.write("own/first-steps/lost-update.lab", run.replacing("../app", with: program.folderPath + "/app"))
        _ = try program.threadlab(["learn", "lint", "--course", "own"])
        _ = try program.threadlab(["learn", "1", "--answers", "--course", "own"])
        #expect(!wasStarted())
    }

    // MARK: - What a program is given

    @Test(arguments: [
        "LD_PRELOAD=./evil.so", "MODE=fast LD_AUDIT=./evil.so", "'LD_LIBRARY_PATH=.'", "GCONV_PATH=.",
        "THREADLAB_LIBRARIES=./evil.so",
    ])
    func `a file gives its program no variable that loads code`(variable: String) throws {
        try program.write(
            "bad.lab", "scenario \"bad\"\nrun \"./app\"(environment: \"\(variable)\")\nexpect completes\n")
        for command in ["explore", "check"] {
            let ended = try program.threadlab([command, "bad.lab"]).exits(with: 2)
            let said = ended.output + ended.errors
            #expect(said.contains("bad.lab:2:26: error: '"), "\(said)")
            #expect(said.contains("' makes a program load other code: a file does not give it"), "\(said)")
        }
        #expect(!wasStarted())
    }
}
