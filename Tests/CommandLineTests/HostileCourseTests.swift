import Glibc
import Testing

/// A course can come from a stranger. To read it, to prove it and to make pages of it must change nothing but the folder that
/// was asked for, and must show nothing but the course.
@Suite struct HostileCourseTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try threadlab("new", "--course", "own").inDirectory(directory.path).run().succeeds()
    }

    private func learn(_ words: String...) -> Invocation {
        Invocation(program: Programs.threadlab, arguments: ["learn"] + words).inDirectory(directory.path)
    }

    private func write(_ name: String, _ text: String) throws {
        _ = try directory.write("own/" + name, Array(text.utf8))
    }

    private func text(_ name: String) throws -> String { try #require(Files.text(directory.file("own/" + name))) }

    /// All files and folders, at any depth.
    private func everything(in folder: String = "") -> [String] {
        TemporaryDirectory.names(in: directory.file(folder)).flatMap { name -> [String] in
            let path = folder.isEmpty ? name : "\(folder)/\(name)"
            return [path] + everything(in: path)
        }
    }

    /// What the linter says of the course, and that it has changed nothing.
    private func lint() throws -> Ended {
        let before = everything()
        let ended = try learn("lint", "--course", "own").wide.run()
        #expect(everything() == before)
        return ended
    }

    @Test(arguments: [
        ("run /etc/passwd", "'/etc/passwd' is refused: a lesson's command names only programs of the lesson's folder"),
        ("run ../first-steps/lost-update.lab", "'../first-steps/lost-update.lab' is refused"),
        ("run --seed 1 -- ../first-steps/lost-update.lab", "'../first-steps/lost-update.lab' is refused"),
        ("check ..", "'..' is refused"),
        ("run -", "'-' is refused"),
        (
            "run lost-update.lab --save here",
            "'--save' is refused: a lesson's command has no option that takes a path"
        ),
        ("run lost-update.lab --save=here", "'--save' is refused"),
        ("run --save here lost-update.lab", "'--save' is refused"),
        ("run lost-update.lab --against lost-update.lab", "'--against' is refused"),
        ("explore lost-update.lab --html here.html", "'--html' is refused"),
        ("explore lost-update.lab --save traces", "'--save' is refused"),
        ("check lost-update.lab --junit here.xml", "'--junit' is refused"),
        ("check lost-update.lab --cache proofs", "'--cache' is refused"),
        ("export lost-update.lab here.dot", "'export' is refused"),
        ("new mine", "'new' is refused: a lesson's command is one of run, replay"),
        ("learn lint", "'learn' is refused"),
        ("learn grade lost-update.lab lost-update.lab", "'learn' is refused"),
        ("format --in-place lost-update.lab", "'format' is refused"),
        ("play lost-update.lab", "'play' is refused"),
        ("check lost-update.lab --watch", "'--watch' is refused"),
        ("check --merge lost-update.lab", "'--merge' is refused"),
        ("__lesson new mine", "unknown command"),
    ])
    func `a lesson's command that could write or read elsewhere is refused`(command: String, reason: String) throws {
        let lesson = try text("first-steps/lesson.md")
        try write("first-steps/lesson.md", lesson.replacing("explore lost-update.lab", with: command))
        try lint().exits(with: 1).prints("first-steps/lesson.md:24: the command ends with exit code 2").prints(reason)
        let before = everything()
        try learn("--site", "site", "--course", "own").wide.run().exits(with: 2).complainsInOneLine(about: reason)
        #expect(everything() == before)
    }

    @Test(arguments: [
        ("threadlab run $(touch here)", "a command has no sign of the shell, such as $"),
        ("threadlab run `touch here`", "such as `"),
        ("threadlab list; touch here", "such as ;"),
        ("threadlab list > here", "such as >"),
        ("threadlab list && touch here", "such as &"),
        ("touch here", "a command begins with 'threadlab'"),
    ])
    func `a lesson's command is a command of threadlab and not a script`(command: String, reason: String) throws {
        let lesson = try text("first-steps/lesson.md")
        try write("first-steps/lesson.md", lesson.replacing("threadlab explore lost-update.lab", with: command))
        try lint().exits(with: 1).prints("own/first-steps/lesson.md:24: ").prints(reason)
        try learn("1", "--course", "own").wide.run().exits(with: 0).doesNotPrint("touch")
    }

    @Test func `no option of a reading command that takes a path is allowed, whatever its name`() throws {
        let refusal = try threadlab("__lesson", "new", "mine").wide.run().exits(with: 2).errors
        let commands = refusal.split(separator: " one of ").last?.split(separator: "\n").first?.split(separator: ", ")
        var tried = 0
        for command in (commands ?? []).map(String.init) {
            let help = try threadlab("help", command).wide.run().succeeds()
            for option in help.output.matches(of: /\n +(--[a-z-]+) (?:FILE|DIR|TASK)\b/).map({ String($0.1) }) {
                tried += 1
                try threadlab("__lesson", command, "deadlock", option, "here").inDirectory(directory.path).run()
                    .exits(with: 2).complainsInOneLine(about: "'\(option)' is refused")
            }
        }
        #expect(tried > 20 && directory.names == ["own"])
    }

    @Test func `a link is not followed`() throws {
        try #require(symlink("/etc/passwd", directory.file("own/first-steps/secret.lab")) == 0)
        let lesson = try text("first-steps/lesson.md")
        try write("first-steps/lesson.md", lesson + "\n```program\nsecret.lab\n```\n")
        let reason = "own/first-steps/secret.lab: it is a symbolic link: a course has only files of its own"
        try lint().exits(with: 1).prints(reason).doesNotPrint("root:")
        try learn("init", "work", "--course", "own").wide.run().exits(with: 0).complainsInOneLine(about: reason)
        #expect(!everything().contains { $0.hasPrefix("work/") && $0.hasSuffix("secret.lab") })
        try learn("--site", "site", "--course", "own").wide.run().exits(with: 0)
        #expect(try !#require(Files.text(directory.file("site/first-steps/index.html"))).contains("root:"))
    }

    /// Errors of all parts of the language, in the author's own files: no value of Swift is ever printed, and nothing is threadlab's failure.
    @Test(arguments: ["thread {", "shared a = ", "task { at most 1 }", "run \"deadlock\"", "note \"x"])
    func `an error in an author's program is the author's`(line: String) throws {
        let name = "first-steps/add-a-lock/task.lab"
        let task = try text(name)
        try write(name, task.replacing("task {", with: line + "\ntask {"))
        let ended = try lint().exits(with: 2).prints("own/\(name)").prints(": wrong: ").isSilent()
        let shown = ended.output + (try learn("check", "--course", "own").wide.run()).errors
        for word in ["UnansweredQuestion", "Problem(", "message:", "Diagnostic("] {
            #expect(!shown.contains(word), "\(shown)")
        }
    }

    @Test func `the error in an author's program has its place`() throws {
        let name = "first-steps/add-a-lock/task.lab"
        let lines = try text(name).split(separator: "\n", omittingEmptySubsequences: false).count
        try write(name, text(name) + "thread {\n")
        try lint().exits(with: 2).prints("own/\(name):\(lines): ")
    }

    @Test func `a lesson in a folder that is a link is not read`() throws {
        try #require(rename(directory.file("own/first-steps"), directory.file("elsewhere")) == 0)
        try #require(symlink("../elsewhere", directory.file("own/first-steps")) == 0)
        try learn("lint", "--course", "own").wide.run().exits(with: 2).complainsInOneLine(
            about: "first-steps/lesson.md: 'first-steps' is a symbolic link")
    }

    @Test func `a file that is too long is not read`() throws {
        try write("first-steps/lost-update.lab", String(repeating: "// more\n", count: 40_000))
        try lint().exits(with: 1).prints("own/first-steps/lost-update.lab: it is longer than 256 KiB")
    }

    @Test(arguments: ["[", "](", "**", "`", "*a", "[a](b"])
    func `signs without an end take no time`(sign: String) throws {
        let lesson = try text("first-steps/lesson.md")
        let line = "x" + String(repeating: sign, count: 3_900 / sign.count) + "\n"
        try write("first-steps/lesson.md", lesson + "\n" + String(repeating: line, count: 10))
        try learn("--site", "site", "--course", "own").run().succeeds()
        try learn("1", "--course", "own").run().succeeds()
    }

    @Test func `a line that is too long is refused`() throws {
        try write("first-steps/lesson.md", text("first-steps/lesson.md") + String(repeating: "[", count: 5_000))
        try learn("lint", "--course", "own").wide.run().exits(with: 2).complainsInOneLine(
            about: "first-steps/lesson.md:27: this line is longer than 4000 bytes")
    }

    @Test func `a name that begins like an option is refused`() throws {
        try write("course.md", text("course.md").replacing("first-steps", with: "-x"))
        try #require(rename(directory.file("own/first-steps"), directory.file("own/-x")) == 0)
        try learn("lint", "--course", "own").wide.run().exits(with: 2).complainsInOneLine(
            about: "course.md:5: a lesson's link is 'FOLDER/lesson.md'")
    }

    @Test(arguments: ["course.md", "first-steps/lesson.md", "first-steps/add-a-lock/exercise.md"])
    func `an escape in a title reaches no terminal`(page: String) throws {
        try write(page, "# \u{1B}]0;mine\u{7}\u{1B}[2J\u{202E}" + text(page).dropFirst(2))
        for words in [["lint"], ["list"], ["1"], ["init", "work"]] {
            let ended = try Invocation(
                program: Programs.threadlab, arguments: ["learn"] + words + ["--course", "own"]
            ).inDirectory(directory.path).run()
            ended.isSafeToShow()
            #expect((ended.output + ended.errors).contains("it has a character that is not shown: \\u{1B}"))
            #expect(!ended.errors.unicodeScalars.contains("\u{1B}"))
        }
    }

    @Test func `an exercise with the name of a program is refused, because the learner's file would replace it`() throws
    {
        try #require(
            rename(directory.file("own/first-steps/add-a-lock"), directory.file("own/first-steps/lost-update")) == 0)
        try lint().exits(with: 1).prints(
            "own/first-steps/lost-update/exercise.md: a program of the lesson has the same name")
    }
}
