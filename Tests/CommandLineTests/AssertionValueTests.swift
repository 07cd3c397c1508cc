import Support
import Testing

/// A failed assertion and a claim that does not hold show the values that decided it, in every report.
@Suite struct AssertionValueTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func threadlab(_ words: String..., program text: String) throws -> Ended {
        _ = try directory.write("x.lab", Array(text.utf8))
        return try Invocation(program: Programs.threadlab, arguments: words).wide.inDirectory(directory.path).run()
    }

    private static func program(_ end: String) -> String {
        """
        scenario "values"
        shared a = 0
        shared log = [], cells[2] = 0
        atomic n = 0, isOpen = false
        thread t {
            a = 3
            log.append(7)
            n.store(2)
            cells[1] = 5
            isOpen.store(true)
        }
        finally { note "\\(a) \\(isOpen.load()) \\(log.count) \\(cells[0]) \\(n.load())" }
        thread u { await isOpen.load(); \(end) }

        """
    }

    static let assertions = [
        ("assert a == 2", "'a == 2' does not hold: a is 3"),
        ("assert a == 2 && a < 9", "'a == 2 && a < 9' does not hold: a is 3"),
        ("assert !isOpen.load()", "'!isOpen.load()' does not hold: isOpen is true"),
        ("assert log == [] || log.count > 1", "'log == [] || log.count > 1' does not hold: log is [7]"),
        ("let i = 1; assert cells[i] < n.load()", "does not hold: cells[1] is 5, n is 2 and i is 1"),
        ("let seen = a; assert seen == 2", "'seen == 2' does not hold: seen is 3"),
        ("assert a == 2, \"too much\"", "'a == 2' does not hold: too much (a is 3)"),
        ("assert a == 2, \"a is \\(a)\"", "'a == 2' does not hold: a is 3"),
    ]

    @Test(arguments: assertions) func `a failed assertion shows what it read`(end: String, message: String) throws {
        try threadlab("run", "x.lab", "--controlled", program: Self.program(end)).exits(with: 1)
            .prints("An assertion failed: ").prints(message + "\n")
    }

    @Test func `every report shows it`() throws {
        let (text, message) = (Self.program("assert a == 2"), "'a == 2' does not hold: a is 3")
        try threadlab("run", "x.lab", "--native", program: text).exits(with: 1).prints(message)
        try threadlab("run", "x.lab", "--format", "lanes", program: text).exits(with: 1).prints(message)
        try threadlab("explore", "x.lab", "--format", "json", program: text).exits(with: 1).prints(message)
        try threadlab("check", "x.lab", "--junit", "x.xml", "--controlled", program: text).exits(with: 1)
            .prints(message)
        #expect(Files.text(directory.file("x.xml"))?.contains("does not hold: a is 3") == true)
    }

    static let claims = [
        ("expect never a == 3", "at the end, 'never a == 3' does not hold: a is 3"),
        (
            "expect always a < 3 && isOpen",
            "at the end, 'always a < 3 && isOpen' does not hold: a is 3 and isOpen is true"
        ),
        ("invariant a <= 2", "the invariant 'a <= 2' does not hold: a is 3"),
        ("expect outcomes { a == 1 && log == [] }", "at the end a is 3 and log is [7], which no row of 'outcomes' has"),
        (
            "expect eventually a == 2",
            "'eventually a == 2' does not hold: it was true in no state, and at the end a is 3"
        ),
    ]

    @Test(arguments: claims) func `a claim that does not hold shows the values that it is about`(
        claim: String, message: String
    ) throws {
        let text = Self.program("note \"\"") + claim + "\nexpect completes\n"
        try threadlab("explore", "x.lab", program: text).exits(with: 1).prints(message + "\n")
            .prints("Not as expected: it should complete.")
        try threadlab("check", "x.lab", "--controlled", program: text).exits(with: 1).prints(message + "\n")
    }

    @Test func `a state that no run ends in is named`() throws {
        let text = Self.program("note \"\"") + "expect sometimes a == 2\n"
        try threadlab("check", "x.lab", "--controlled", program: text).exits(with: 1)
            .prints("no run ends with 'a == 2': ")
    }
}
