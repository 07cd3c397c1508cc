import Glibc
import Support
import Testing

/// `threadlab learn`: a learner's folder, lessons, and what is said of submissions.
@Suite struct LearnTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func learn(_ words: String..., in folder: String? = nil) -> Invocation {
        Invocation(program: Programs.threadlab, arguments: ["learn"] + words).inDirectory(folder ?? directory.path)
    }

    /// A learner's folder with the exercises of the course that `new --course` makes.
    private func begin() throws -> String {
        try threadlab("new", "--course", "own").inDirectory(directory.path).run().succeeds()
        try learn("init", "work", "--course", "own").run().succeeds().prints("work has the 1 exercises.")
        return directory.file("work")
    }

    private func copy(_ name: String, to submission: String) throws {
        let text = try #require(Files.text(directory.file("own/first-steps/add-a-lock/\(name).lab")))
        _ = try directory.write(submission, Array(text.utf8))
    }

    private static let submission = "work/01-first-steps/add-a-lock.lab"

    @Test func `without a folder it says how to begin`() throws {
        try learn().run().succeeds().prints("threadlab learn init my-course")
        try learn("next").run().exits(with: 2).complainsInOneLine(
            about:
                "this is no folder of exercises: 'threadlab learn init my-course' makes one")
        try learn("nonsense").run().exits(with: 2).complainsInOneLine(
            about: "there is no lesson or exercise 'nonsense'")
        try learn("deadlok").run().exits(with: 2).complainsInOneLine(about: "did you mean 'deadlock'?")
        #expect(directory.names.isEmpty)
    }

    @Test func `a folder has the starts of the exercises and no solution`() throws {
        let folder = try begin()
        #expect(
            Files.text(folder + "/01-first-steps/add-a-lock.lab")
                == Files.text(directory.file("own/first-steps/add-a-lock/task.lab")))
        #expect(Files.text(folder + "/01-first-steps/lost-update.lab") != nil)
        try learn("init", "work").run().exits(with: 2).complainsInOneLine(about: "work already exists")
        try learn("init", "more", in: folder).run().exits(with: 2).complainsInOneLine(
            about: "you are in a folder of exercises already")
    }

    @Test func `a submission is judged, and what is solved is remembered`() throws {
        let folder = try begin()
        try learn("check", in: folder).run().exits(with: 1).prints("01-first-steps/add-a-lock.lab: not yet").prints(
            "race")
        try copy("wrong-1", to: Self.submission)
        try learn("check", "1.1", in: folder).run().exits(with: 1).prints("not yet")
        try learn("list", in: folder).run().succeeds().prints("- 1.1 Add a lock")
        try copy("solution", to: Self.submission)
        try learn("check", "01-first-steps/add-a-lock.lab", in: folder).run().succeeds().prints("solved")
        try learn("list", in: folder).run().succeeds().prints("* 1.1 Add a lock")
        try learn(in: folder).run().succeeds().prints("All 1 exercises are solved.")
        try learn("reset", "add-a-lock", in: folder).run().succeeds()
        try learn("check", in: folder + "/01-first-steps").run().exits(with: 1).prints("not yet")
    }

    @Test func `a submission that is no program is said to be none`() throws {
        let folder = try begin()
        _ = try directory.write(Self.submission, Array("scenario \"x\"\nthread t {\n".utf8))
        try learn("check", in: folder).run().exits(with: 2).prints("it cannot be read")
    }

    @Test func `hints go from a question to the schedule`() throws {
        let folder = try begin()
        try learn("hint", in: folder).run().succeeds().prints("Which two steps")
        try learn("hint", in: folder).run().succeeds().prints("Look at 01-first-steps/add-a-lock.lab:")
        let third = try learn("hint", in: folder).run().succeeds().prints("This order of steps shows it:")
        let command = try #require(third.lines.last { $0.contains(" replay ") })
        let words = command.split(separator: " ").dropFirst().map(String.init)
        try Invocation(program: Programs.threadlab, arguments: words).inDirectory(folder).run().exits(with: 1).prints(
            "race")
        try learn("hint", in: folder).run().succeeds().prints("threadlab play 01-first-steps/add-a-lock.lab --against")
        try learn("hint", in: folder).run().succeeds().prints("There are no more hints.")
    }

    @Test func `a lesson's answers come with schedules that can be replayed`() throws {
        let folder = try begin()
        try learn("1", in: folder).run().succeeds().prints("Question 1.").prints("1 --answers' shows the answers")
        let answers = try learn("1", "--answers", in: folder).run().succeeds().prints("a  0: no").prints("b  1: yes")
        let commands = answers.lines.filter { $0.contains(" replay ") }
        #expect(commands.count == 2)
        for command in commands {
            let words = command.split(separator: " ").dropFirst().map(String.init)
            try Invocation(program: Programs.threadlab, arguments: words).inDirectory(folder).run().succeeds()
        }
    }

    @Test func `a schedule is judged by what it reaches`() throws {
        try learn("init", "all").run().succeeds()
        let folder = directory.file("all")
        try learn("check", "all-forks-taken", in: folder).run().exits(with: 1).prints("There is no schedule in it yet.")
        for _ in 0..<8 { try learn("hint", "all-forks-taken", in: folder).run().succeeds() }
        let names = try #require(TemporaryDirectory.names(in: folder).first { $0.hasSuffix("-deadlock") })
        _ = try directory.write("all/\(names)/all-forks-taken.schedule", Array("# mine\n1x9\n".utf8))
        try learn("check", "all-forks-taken", in: folder).run().exits(with: 1).prints("not yet")
        _ = try directory.write("all/\(names)/all-forks-taken.schedule", Array("x\n".utf8))
        try learn("check", "all-forks-taken", in: folder).run().exits(with: 2).prints("it cannot be read")
    }

    @Test func `the run that fails is shown as lanes, and for a long one the command that shows all of it`() throws {
        try learn("init", "all").run().succeeds()
        let folder = directory.file("all")
        try learn("check", "add-a-lock", in: folder).run().exits(with: 1).prints("adder[1]  write count = 1").prints(
            "(1 earlier row is left out)"
        ).prints("All of it: threadlab explore 01-two-threads/add-a-lock.lab --against two-threads/add-a-lock")
    }

    @Test func `where something must be possible and is not, a run is shown from its beginning`() throws {
        try learn("init", "all").run().succeeds()
        let folder = directory.file("all")
        let mistake = try #require(Repository.text(of: "course/deadlock/transfer-both-ways/wrong-1.lab"))
        _ = try directory.write("all/04-deadlock/transfer-both-ways.lab", Array(mistake.utf8))
        try learn("check", "transfer-both-ways", in: folder).wide.run().exits(with: 1).prints(
            "No run shows 'possible moving == 2'."
        ).prints("One of its runs, in which it does not happen either:\n 1  ●").prints("more steps until the end")
        try threadlab(
            "check", "04-deadlock/transfer-both-ways.lab", "--against", "deadlock/transfer-both-ways"
        ).inDirectory(folder).run().exits(with: 1).prints("One of its runs, in which it does not happen either:")
    }

    @Test func `a schedule that does not reach its goal is shown, with what follows it`() throws {
        try learn("init", "all").run().succeeds()
        let folder = directory.file("all")
        let path = "all/01-two-threads/lose-updates.schedule"
        let text = try #require(Files.text(directory.file(path)))
        #expect(text.contains("# The threads: 0 is main, 1 is adder[0], 2 is adder[1].\n"))
        _ = try directory.write(path, Array((text + "1x5\n").utf8))
        try learn("check", "lose-updates", in: folder).wide.run().exits(with: 1).prints(
            "The run does not reach the goal."
        ).prints("Your 5 steps, and how the run continues by itself:\n 1  ●")
    }

    @Test func `a file without claims is not wrong, and one with errors says where they are`() throws {
        try learn("init", "all").run().succeeds()
        let folder = directory.file("all")
        try learn("check", "money-is-not-lost", in: folder).wide.run().exits(with: 1).prints(
            "There are no claims in it yet")
        _ = try directory.write("all/03-locks/money-is-not-lost.lab", Array("scenario \"x\"\ninvariant\n".utf8))
        try learn("check", "money-is-not-lost", in: folder).wide.run().exits(with: 2).prints(
            "03-locks/money-is-not-lost.lab:2:")
    }

    @Test func `the course that comes with threadlab has no mistake`() throws {
        try threadlab("learn", "lint", "\(Repository.root)/course").run().succeeds()
    }

    @Test func `a lesson lists its exercises once`() throws {
        let lesson = try learn("1").run().succeeds()
        #expect(lesson.lines.count { $0.contains("Add a lock") } == 1)
        #expect(lesson.lines.count { $0.uppercased().hasPrefix("EXERCISES") } == 1)
    }

    @Test func `a site has a page for each lesson and each level, and asks for nothing`() throws {
        try learn("--site", "site").run().succeeds().prints("Open site/index.html.")
        let index = try #require(Files.text(directory.file("site/index.html")))
        #expect(index.contains("href=\"two-threads/index.html\"") && !index.contains("://"))
        let lesson = try #require(Files.text(directory.file("site/two-threads/index.html")))
        #expect(lesson.ranges(of: ">Exercises</h2>").count == 1 && lesson.ranges(of: "Draw a ticket").count == 1)
        let level = try #require(Files.text(directory.file("site/deadlock/all-forks-taken.html")))
        #expect(level.contains("Content-Security-Policy"))
        try learn("--site", "site").run().exits(with: 2).complainsInOneLine(about: "site already exists")
    }

    // MARK: - Exercises in Swift

    private func beginInSwift() throws -> String {
        try threadlab("new", "--course", "own", "--swift").inDirectory(directory.path).run().succeeds()
        try learn("init", "work", "--course", "own").run().succeeds().prints("work has the 2 exercises.")
        return directory.file("work")
    }

    @Test func `a folder with exercises in Swift is a package, with their tests and without their solutions`() throws {
        let folder = try beginInSwift()
        let manifest = try #require(Files.text(folder + "/Package.swift"))
        #expect(manifest.contains("path: \"01-first-steps/count-together/Sources\""))
        for (file, start) in [("Sources/count-together.swift", "task.swift"), ("Tests/tests.swift", "tests.swift")] {
            #expect(
                Files.text("\(folder)/01-first-steps/count-together/\(file)")
                    == Files.text(directory.file("own/first-steps/count-together/\(start)")))
        }
        try learn("list", in: folder).run().succeeds().prints("1.2 Count together").prints("(swift)")
    }

    @Test func `nothing in Swift is built unless that is asked for, and then it is`() throws {
        let folder = try beginInSwift()
        try directory.directory("bin")
        let text = "#!/bin/sh\ntouch \(directory.file("BUILT"))\nexit 1\n"
        try Files.writeProgram(directory.file("bin/swift"), Array(text.utf8))
        let checkout = try checkout()
        func run(_ words: [String]) throws -> Ended {
            var invocation = Invocation(program: Programs.threadlab, arguments: ["learn"] + words)
                .inDirectory(folder).wide
            invocation.environment["PATH"] = "\(directory.file("bin")):/usr/bin:/bin"
            invocation.environment["XDG_CACHE_HOME"] = directory.file("cache")
            return try invocation.run()
        }
        let reason = "count-together is in Swift, and would be built and run with your rights: "
        for words in [["check", "1.2"], ["--watch", "1.2"]] {
            try run(words).exits(with: 2).complainsInOneLine(
                about: reason + "'threadlab learn check --swift' does that")
        }
        for _ in 0..<3 { _ = try run(["hint", "1.2"]).exits(with: 0) }
        try run(["lint"]).exits(with: 1).prints(
            "first-steps/count-together/exercise.md: it is in Swift, and was not built: '--swift' builds and runs it")
        try run(["check", "1.2", "--checkout", checkout]).exits(with: 2).complainsInOneLine(
            about: "--checkout is for what is in Swift: add --swift")
        #expect(!directory.names.contains("BUILT"))
        _ = try run(["check", "1.2", "--swift", "--checkout", checkout])
        #expect(directory.names.contains("BUILT"))
    }

    @Test func `what exercises in Swift need is said`() throws {
        let folder = try beginInSwift()
        try learn("check", "1.2", "--swift", "--checkout", "/tmp", in: folder).run().exits(with: 2).complainsInOneLine(
            about: "'/tmp' does not have threadlab's sources")
        var withoutHome = learn("check", "1.2", "--swift", "--checkout", try checkout(), in: folder)
        withoutHome.environment = ["PATH": "/nowhere", "HOME": "", "XDG_CACHE_HOME": ""]
        try withoutHome.run().exits(with: 2).complainsInOneLine(about: "neither XDG_CACHE_HOME nor HOME names one")
        var withoutSwift = learn("check", "1.2", "--swift", in: folder)
        withoutSwift.environment = ["PATH": "/nowhere", "XDG_CACHE_HOME": directory.file("cache")]
        try withoutSwift.run().exits(with: 2).complainsInOneLine(about: "there is no program 'swift' in PATH")
    }

    /// What looks like threadlab's sources.
    private func checkout() throws -> String {
        try directory.directory("sources")
        _ = try directory.write("sources/Package.swift", [])
        return directory.file("sources")
    }
}
