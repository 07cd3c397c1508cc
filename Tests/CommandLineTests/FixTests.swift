import Support
import Testing

/// `explore --suggest`: the smallest change with which a program is proved not to fail.
@Suite struct FixTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let kind: String
        let program: String
        /// A line of the suggested diff.
        let line: String

        var testDescription: String { kind }
    }

    private static let waiting = """
        scenario "x"
        mutex m
        condition c with m
        shared isReady = false
        thread waiter[2] { lock m { while !isReady { c.wait() } } }
        thread setter { lock m { isReady = true; # } }
        expect deadlock

        """

    static let cases = [
        Case(
            kind: "broadcast", program: waiting.replacing("#", with: "c.signal()"),
            line: "+thread setter { lock m { isReady = true; c.broadcast() } }"),
        Case(
            kind: "signalAfterChange", program: waiting.replacing("; #", with: ""),
            line: "+thread setter { lock m { isReady = true; c.broadcast() } }"),
        Case(
            kind: "loopAroundWait",
            program: """
                scenario "x"
                mutex m
                condition c with m
                shared items = []
                thread taker[2] { lock m { if items.isEmpty { c.wait() }; items.removeFirst() } }
                thread giver { repeat 2 { lock m { items.append(1); c.signal() } } }
                expect error

                """,
            line: "+thread taker[2] { lock m { while items.isEmpty { c.wait() }; items.removeFirst() } }"),
        Case(
            kind: "waitForPredicate",
            program: """
                scenario "x"
                mutex m
                condition c with m
                shared isReady = false
                thread waiter { lock m { c.wait() } }
                finally { assert isReady }
                thread setter { lock m { isReady = true; c.signal() } }
                expect deadlock

                """, line: "+thread waiter { lock m { while !isReady { c.wait() } } }"),
        Case(
            kind: "lockOrder",
            program: """
                scenario "x"
                mutex a, b
                thread one { lock a { lock b { yield } } }
                thread two { lock b { lock a { yield } } }
                expect deadlock

                """, line: "+thread one { lock b { lock a { yield } } }"),
        Case(
            kind: "unlockOnReturn",
            program: """
                scenario "x"
                mutex m
                shared n = 0
                thread t[2] {
                    m.lock()
                    n += 1
                    if n == 2 { return }
                    m.unlock()
                }
                thread last { lock m { yield } }
                expect deadlock

                """, line: "+    if n == 2 { m.unlock(); return }"),
        Case(
            kind: "lockAround",
            program: """
                scenario "x"
                mutex m
                shared n = [0]
                finally { assert !n.isEmpty }
                thread one { lock m { n.append(1) } }
                thread two { n.append(2) }
                expect race

                """, line: "+thread two { lock m { n.append(2) } }"),
        Case(
            kind: "atomic",
            program: """
                scenario "x"
                shared n = 0
                thread t[2] { n += 1 }
                finally { assert n == 2 }
                expect race, assertion

                """, line: "+thread t[2] { n.add(1) }"),
        Case(
            kind: "oneUpdate",
            program: """
                scenario "x"
                atomic n = 0
                thread t[2] {
                    let seen = n.load()
                    n.store(seen + 1)
                }
                finally { assert n.load() == 2 }
                expect assertion

                """, line: "+    let seen = n.add(1)"),
        Case(
            kind: "otherLock",
            program: """
                scenario "x"
                mutex a, b
                shared n = [0]
                finally { assert !n.isEmpty }
                thread one { lock a { n.append(1) } }
                thread other { lock a { yield } }
                thread two { lock b { n.append(2) } }
                expect race

                """, line: "+thread one { lock b { n.append(1) } }"),
        Case(
            kind: "writeLock",
            program: """
                scenario "x"
                rwlock r
                shared n = [0]
                finally { assert !n.isEmpty }
                thread t[2] { reading r { n.append(1) } }
                expect race

                """, line: "+thread t[2] { writing r { n.append(1) } }"),
        Case(
            kind: "waitBeforeLock",
            program: """
                scenario "x"
                mutex m
                semaphore s
                shared n = 0
                thread waiter { lock m { s.wait(); n += 1 } }
                thread setter { lock m { n += 1; s.signal() } }
                expect deadlock

                """, line: "+thread waiter { s.wait(); lock m { n += 1 } }"),
    ]

    private func explore(_ program: String, _ options: String...) throws -> Ended {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.lab")
        try Files.write(file, Array(program.utf8))
        return try Invocation(program: Programs.threadlab, arguments: ["explore", file, "--suggest"] + options).wide
            .run()
    }

    @Test(arguments: cases)
    func `a change of each kind is suggested where it cures`(fix: Case) throws {
        try explore(fix.program).succeeds().prints("suggestion: ").prints("Proved with this change: ")
            .prints("\n\(fix.line)\n").prints("\n+expect completes\n")
        try explore(fix.program, "--format", "json").succeeds().printsJSONLines()
            .prints("\"suggestion\":{\"proved\":true").prints("\"kind\":\"\(fix.kind)\"")
    }

    @Test func `the claims of a program must hold after the change`() throws {
        let program = """
            scenario "x"
            mutex m
            shared n = 0
            thread t[2] { lock m { n += 1 } }
            expect broken always n == 3

            """
        try explore(program).succeeds().prints(" tried is proved.").doesNotPrint("+++")
    }

    @Test func `what a proof does not tell is said below it`() throws {
        let program = """
            scenario "x"
            mutex account
            shared balance = 0
            func fee() { lock account { balance -= 1 } }
            thread t { lock account { balance += 10; fee(); balance += 1 } }
            expect deadlock

            """
        let caution = "The inner section then begins while the outer one is half done"
        try explore(program).succeeds().prints("suggestion: a mutex that its holder may lock again").prints(caution)
        try explore(program, "--format", "json").succeeds().printsJSONLines().prints("\"caution\":\"\(caution)")
    }

    @Test func `a broken lock of the program's own is not hidden by another one`() throws {
        let program = """
            scenario "x"
            atomic flag[2] = false, inside = 0
            thread t[2] {
                await !flag[1 - index].load()
                flag[index].store(true)
                inside.add(1)
                assert inside.load() == 1
                inside.add(-1)
                flag[index].store(false)
            }
            expect assertion

            """
        try explore(program).succeeds().prints("suggestion: ").doesNotPrint("insideLock")
    }

    @Test func `without a proof it says how many changes were tried, and which came near`() throws {
        let program = """
            scenario "x"
            atomic a = 0
            semaphore s
            thread one { s.wait(); assert a.load() == 1 }
            thread two { if a.exchange(2) == 3 { yield } }
            expect deadlock

            """
        try explore(program).succeeds().prints("suggestion: ").prints(" tried is proved.").doesNotPrint("+++")
    }

    @Test func `a program that does not fail needs no change`() throws {
        try explore("scenario \"x\"\nthread t { yield }\nexpect completes\n").succeeds().prints("proved: ")
            .doesNotPrint("suggestion")
    }

    @Test func `a scenario in Swift has no text to change`() throws {
        try threadlab("explore", "deadlock", "--suggest").run().exits(with: 2)
            .complainsInOneLine(about: "--suggest changes programs in .lab files")
    }

    @Test func `a large program is searched for changes for a bounded time`() throws {
        let names = (0..<20).map { "m\($0)" }.joined(separator: ", ")
        let body = (0..<20).map { "lock m\($0) { a += 1; b = a }" }.joined(separator: "\n")
        let program =
            "scenario \"x\"\nmutex \(names)\nshared a = 0, b = 0\nthread t[2] {\n\(body)\nassert a + b < 0\n}\nexpect race, assertion\n"
        try explore(program, "--time", "1s").succeeds().prints("suggestion: ")
    }
}

/// The same finding with lower parameters.
@Suite struct SmallerProgramTests {
    private static let pool = """
        scenario "pool"
        parameter workers = 3 in 1...6
        parameter rounds = 4 in 1...8
        mutex inventory, log
        thread worker[workers] {
            repeat rounds { lock inventory { yield } }
            lock inventory { lock log { yield } }
        }
        thread auditor { lock log { lock inventory { yield } } }
        expect deadlock

        """

    private func explore(_ program: String, _ options: String...) throws -> Ended {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.lab")
        try Files.write(file, Array(program.utf8))
        return try Invocation(program: Programs.threadlab, arguments: ["explore", file] + options).wide.run()
    }

    @Test func `parameters are lowered as far as the same finding is found`() throws {
        try explore(Self.pool).succeeds().prints("Also with workers = 1, rounds = 1: ").prints(" steps instead of ")
            .prints("  Smaller: ").prints(" --workers 1 --rounds 1 --schedule ")
        try explore(Self.pool, "--format", "json").succeeds().printsJSONLines()
            .prints("\"smaller\":{\"parameters\":{\"workers\":\"1\",\"rounds\":\"1\"},\"steps\":")
    }

    @Test func `a parameter that the finding needs keeps its value`() throws {
        let program = Self.pool
            .replacing("lock inventory { lock log", with: "if workers > 1 { lock inventory { lock log")
            .replacing("{ yield } }\n}\nthread auditor", with: "{ yield } } }\n}\nthread auditor")
        try explore(program).succeeds().prints("Also with workers = 2, rounds = 1: ")
    }

    @Test func `nothing is said where the parameters are the lowest`() throws {
        try explore(Self.pool, "--workers", "1", "--rounds", "1").succeeds().doesNotPrint("Also with")
    }

    @Test func `parameters of scenarios in Swift are lowered too`() throws {
        try threadlab("explore", "producer-consumer", "--variant", "one-condition", "--consumers", "4").wide.run()
            .succeeds().prints("Also with consumers = 2: ")
    }
}
