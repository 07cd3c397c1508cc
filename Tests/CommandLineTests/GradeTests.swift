import Glibc
import Support
import Testing

/// `threadlab grade` with exercises whose answers are not programs: a schedule, claims.
@Suite struct GradeTests {
    private let directory: TemporaryDirectory

    /// Three exercises of the course, a kind each, and students without anything yet.
    init() throws {
        directory = try TemporaryDirectory()
        for folder in ["tasks", "anna", "ben", "cleo"] { try directory.directory(folder) }
        for exercise in [
            "two-threads/add-a-lock", "two-threads/lose-updates", "bounded-buffers/what-a-buffer-promises",
        ] {
            let folder = "tasks/\(exercise.split(separator: "/").last!)"
            try directory.directory(folder)
            try directory.directory(folder + "/mutants")
            for file in [".md", ".lab"].flatMap({ Repository.paths(in: "course/\(exercise)", ending: $0) }) {
                try write(folder + file.dropFirst("course/\(exercise)".count), try #require(Repository.text(of: file)))
            }
        }
    }

    private func write(_ name: some StringProtocol, _ text: String) throws {
        _ = try directory.write(String(name), Array(text.utf8))
    }

    private func grade(_ words: String...) throws -> Ended {
        try Invocation(
            program: Programs.threadlab, arguments: ["learn", "grade", "tasks", "anna", "ben", "cleo"] + words
        ).wide.inDirectory(directory.path).run()
    }

    private func solution(_ name: String, of exercise: String) throws -> String {
        try #require(Files.text(directory.file("tasks/\(exercise)/\(name).lab")))
    }

    /// Anna is right. Ben has tried. Cleo has files that are none.
    private func handIn() throws {
        try write("anna/add-a-lock.lab", solution("solution", of: "add-a-lock"))
        try write("anna/lose-updates.schedule", Self.lostUpdates)
        try write("anna/what-a-buffer-promises.lab", solution("solution", of: "what-a-buffer-promises"))
        try write("ben/add-a-lock.lab", solution("wrong-1", of: "add-a-lock"))
        try write("ben/lose-updates.schedule", "1x3\n")
        try write("ben/what-a-buffer-promises.lab", solution("wrong-1", of: "what-a-buffer-promises"))
        try write("cleo/lose-updates.schedule", "one, two\n")
        try write("cleo/what-a-buffer-promises.lab", "scenario \"x\"\nexpect always nothing == 1\n")
    }

    /// The shortest.
    private static let lostUpdates = "1x2,2x2,1x3,2,1,2x4,1x2,2\n"

    @Test func `schedules and claims are judged like programs, in the table`() throws {
        try handIn()
        try grade().succeeds().prints("anna     pass").prints("3 of 3").prints("0 of 3").prints(
            "3 of 8 submissions passed, 1 missing"
        ).prints("schedule").prints("the schedule does not reach what it should (lose-updates)").prints(
            "the claims reject the right program, or accept a wrong one (what-a-buffer-promises)")
    }

    @Test func `schedules and claims are judged like programs, in CSV`() throws {
        try handIn()
        let lines = try grade("--format", "csv").succeeds().lines.map(String.init)
        #expect(
            lines.filter { $0.contains("passed") } == [
                "anna,add-a-lock,passed,,,", "anna,lose-updates,passed,,,", "anna,what-a-buffer-promises,passed,,,",
            ])
        #expect(lines.contains { $0.hasPrefix("ben,lose-updates,failed,schedule,,The run") })
        #expect(lines.contains { $0.hasPrefix("ben,what-a-buffer-promises,failed,claims,,") })
        #expect(lines.contains { $0.hasPrefix("cleo,lose-updates,wrong,errors,,") })
        #expect(lines.contains { $0.hasPrefix("cleo,what-a-buffer-promises,wrong,errors,") })
        #expect(lines.contains("cleo,add-a-lock,missing,,,"))
        #expect(try grade("--format", "csv", "--jobs", "1").lines.map(String.init) == lines)
    }

    @Test func `schedules and claims are judged like programs, in JSON and on pages`() throws {
        try handIn()
        let json = try grade("--format", "json", "--html", "pages", "--times").succeeds()
        #expect(isJSON(json.output))
        json.prints("\"passed\":3").prints("\"code\":\"claims\"").prints("\"code\":\"schedule\"")
        let index = try #require(Files.text(directory.file("pages/index.html")))
        #expect(index.contains("<a href=\"ben-lose-updates.html\">failed: schedule</a>"))
        let page = try #require(Files.text(directory.file("pages/ben-lose-updates.html")))
        #expect(page.contains("1x3") && page.contains("The run"))
    }

    @Test func `a submission is judged under each memory model that the task's claims name`() throws {
        let task = """
            scenario "store order"
            atomic x = 0, y = 0
            shared r0 = 0, r1 = 0
            thread left { x.store(1, relaxed); r0 = y.load(relaxed) }
            thread right { y.store(1, relaxed); r1 = x.load(relaxed) }
            expect completes
            expect under tso never r0 == 0 && r1 == 0
            expect under rc11 sometimes r0 == 0 && r1 == 0
            task { at most 40 lines }
            """
        try directory.directory("models")
        try directory.directory("models/store-order")
        try write("models/store-order/exercise.md", "# Store order\nKind: fix\nMinutes: 4\nFails: claim\n\nOn x86.\n")
        try write("models/store-order/task.lab", task)
        // An exchange drains the buffer of x86, and orders nothing under rc11.
        let right = task.replacing("store(1, relaxed)", with: "exchange(1, relaxed)")
        try write("models/store-order/solution.lab", right)
        try write("anna/store-order.lab", right)
        try write("ben/store-order.lab", task)
        try write("cleo/store-order.lab", task.replacing("relaxed", with: "seqcst"))
        let graded = try threadlab("learn", "grade", "models", "anna", "ben", "cleo", "--format", "csv").inDirectory(
            directory.path
        ).run().succeeds()
        graded.prints("anna,store-order,passed")
        graded.prints("ben,store-order,failed,TL704,").prints("'under tso never r0 == 0 && r1 == 0' does not hold")
        graded.prints("cleo,store-order,failed,not-seen,,").prints("'under rc11 sometimes r0 == 0 && r1 == 0'")
    }

    @Test func `a link out of a student's folder is not a submission`() throws {
        try handIn()
        for (link, target) in [
            ("ben/add-a-lock.lab", "../tasks/add-a-lock/solution.lab"),
            ("cleo/add-a-lock.lab", "../anna/add-a-lock.lab"),
        ] {
            unlink(directory.file(link))
            try #require(symlink(target, directory.file(link)) == 0)
        }
        try directory.directory("anna/old")
        try #require(rename(directory.file("anna/add-a-lock.lab"), directory.file("anna/old/mine.lab")) == 0)
        try #require(symlink("old/mine.lab", directory.file("anna/add-a-lock.lab")) == 0)
        let csv = try grade("--format", "csv", "--html", "pages").succeeds()
        csv.prints("anna,add-a-lock,passed")
        csv.prints(
            "ben,add-a-lock,wrong,errors,,ben/add-a-lock.lab: it is a link that leads out of the student's folder")
        csv.prints("cleo,add-a-lock,wrong,errors,,cleo/add-a-lock.lab: it is a link")
        #expect(try !#require(Files.text(directory.file("pages/ben-add-a-lock.html"))).contains("lock m"))
    }

    @Test func `an exercise that cannot be read is named`() throws {
        try handIn()
        try write("tasks/lose-updates/exercise.md", "# Lose updates\nKind: breakfast\nMinutes: 5\n")
        try grade().exits(with: 2).complainsInOneLine(
            about: "tasks/lose-updates/exercise.md:2: it does not say its kind: 'Kind: K', one of fix, write, break")
    }

    @Test func `a submission in Swift is run only if that is asked for`() throws {
        try threadlab("new", "--course", "own", "--swift").inDirectory(directory.path).run().succeeds()
        try write("anna/count-together.swift", "import Glibc")
        let grade = try threadlab("learn", "grade", "own", "anna").inDirectory(directory.path).run().succeeds()
        grade.prints("not-run").prints("a submission in Swift, which only --swift runs (count-together)")
        try threadlab("learn", "grade", "own", "anna", "--checkout", "x").inDirectory(directory.path).run().exits(
            with: 2
        )
        .complainsInOneLine(about: "--checkout is for what is in Swift: add --swift")
    }
}
