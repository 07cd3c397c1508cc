import Support
import Testing

/// Why a waiter was not woken, in the reports of programs whose text says what threads wait for.
@Suite struct UnwokenTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func threadlab(_ words: String..., program text: String) throws -> Ended {
        _ = try directory.write("x.lab", Array(text.utf8))
        return try Invocation(program: Programs.threadlab, arguments: words).wide.inDirectory(directory.path).run()
    }

    private static let broadcast = "A signal wakes one waiter: a change that lets several continue needs a broadcast."
    private static let conditionEach =
        "A signal wakes any waiter: threads that wait for different things need a condition each, or a broadcast."

    static let programs = [
        (
            "conditions/one-signal-for-two",
            [
                "What visitor[0] waits for has been true since keeper changed isOpen at one-signal-for-two.lab:20.",
                "The only signal of opened after that, at one-signal-for-two.lab:21, woke visitor[1].", broadcast,
            ]
        ),
        (
            "conditions/one-condition",
            [
                "What producer waits for has been true since consumer[1] changed buffer at one-condition.lab:28.",
                "woke consumer[0], which had nothing to do and waits again.",
                "What consumer[0] waits for has not become true since the wait began.", conditionEach,
            ]
        ),
        (
            "shutdown/stop-without-waking",
            [
                "What worker waits for has been true since boss changed isStopping at stop-without-waking.lab:19, "
                    + "and no thread signaled changed after that.",
                "Signal changed after the change, before the mutex is released.",
            ]
        ),
        (
            "deadlock/nested-monitor",
            [
                "receiver holds house (taken at nested-monitor.lab:13) and waits for a signal of arrived at ",
                "postman waits for house at nested-monitor.lab:21, which receiver holds.",
                "A wait releases only the condition's own mutex: wait without holding house, ",
            ]
        ),
    ]

    @Test(arguments: programs) func `a program of the catalogue is explained by what its waiters wait for`(
        name: String, sentences: [String]
    ) throws {
        let words = ["explore", Repository.root + "/scenarios/\(name).lab", "--strategy", "dpor"]
        let search = try Invocation(program: Programs.threadlab, arguments: words).wide.run()
        for sentence in sentences { search.prints(sentence) }
    }

    private static let pool = """
        scenario "pool"
        shared queue = [], stop = false
        mutex m
        condition work with m
        thread worker[3] {
            while true {
                m.lock()
                while queue.isEmpty && !stop { work.wait() }
                if queue.isEmpty { m.unlock(); return }
                note "job \\(queue.removeFirst())"
                m.unlock()
            }
        }
        thread boss {
            lock m { queue.append(1); work.signal() }
            lock m { stop = true
                work.signal() }
        }

        """

    @Test func `in a pool the signal of a job is innocent, and the signal to stop is blamed`() throws {
        let search = try threadlab("explore", "x.lab", program: Self.pool).exits(with: 1)
            .prints(" has been true since boss changed stop at x.lab:16.").prints(
                " after that, at x.lab:17, woke worker["
            )
            .prints(Self.broadcast).doesNotPrint("a condition does not remember signals")
            .doesNotPrint("signaled work at x.lab:15")
            .prints("the file says nothing, so it should complete (write 'expect deadlock' if it may not).")
        #expect(search.output.contains("deadlock: "))
        try threadlab("explore", "x.lab", "--format", "json", program: Self.pool).exits(with: 1)
            .prints("has been true since boss changed stop at x.lab:16.")
        try threadlab("check", "x.lab", "--controlled", program: Self.pool).exits(with: 1)
            .prints("has been true since boss changed stop at x.lab:16.")
    }

    /// The boss acts when both workers wait, on real threads as well.
    private static func both(_ signal: String, of condition: String = "c") -> String {
        """
        scenario "both"
        atomic waiting = 0
        shared go = false
        mutex m
        condition c, d with m
        thread worker[2] {
            lock m {
                waiting.add(1)
                while !go { c.wait() }
            }
        }
        thread boss {
            await waiting.load() == 2
            lock m {
                go = true
                \(signal)
            }
        }

        """
    }

    @Test(arguments: ["--native", "--controlled"]) func `both runtimes tell the same`(runtime: String) throws {
        try threadlab("run", "x.lab", runtime, program: Self.both("c.signal()")).exits(with: 1)
            .prints(" has been true since boss changed go at x.lab:15.")
            .prints("The only signal of c after that, at x.lab:16, woke worker[").prints(Self.broadcast)
        try threadlab("run", "x.lab", runtime, program: Self.both("d.signal()")).exits(with: 1)
            .prints("What worker[0] and worker[1] wait for has been true since boss changed go at x.lab:15, ")
            .prints("and no thread signaled c after that.")
        try threadlab("run", "x.lab", runtime, program: Self.both("note \"\"")).exits(with: 1)
            .prints("Signal c after the change, before the mutex is released.")
        try threadlab("run", "x.lab", runtime, program: Self.both("go = false")).exits(with: 1)
            .prints("wait for was true when boss changed go at x.lab:15, until boss changed go at x.lab:16.")
    }

    @Test func `a change between the test and the wait is told, with the signal that was lost`() throws {
        let text = """
            scenario "join by hand"
            mutex m
            condition c with m
            atomic done = 0
            thread child {
                done.store(1)
                c.signal()
            }
            thread parent {
                lock m { while done.load() == 0 { c.wait() } }
            }

            """
        try threadlab("explore", "x.lab", program: text).exits(with: 1)
            .prints("child changed done at x.lab:6 after parent had tested it, and before the wait began.")
            .prints("child signaled c at x.lab:7 while no thread was waiting: a condition does not remember signals.")
            .prints("Change the predicate with the mutex held: then nothing can come between the test and the wait.")
    }

    @Test func `a trace has when a test becomes true, and a replay of one without it is the same`() throws {
        try threadlab("run", "x.lab", "--controlled", "--save", "x.trace", program: Self.both("c.signal()"))
            .exits(with: 1)
        let lines = try #require(Files.text(directory.file("x.trace"))).split(separator: "\n")
        #expect(lines.contains { $0.contains("condition.met") } && lines.contains { $0.contains("condition.unmet") })
        var count = 0
        let old = lines.filter { !$0.contains("condition.met") && !$0.contains("condition.unmet") }.map { line in
            guard line.hasPrefix("{\"n\":"), let rest = line.firstIndex(of: ",") else { return String(line) }
            count += 1
            return "{\"n\":\(count)" + line[rest...]
        }
        _ = try directory.write("old.trace", Array(old.joined(separator: "\n").utf8))
        try threadlab("replay", "old.trace", program: Self.both("c.signal()")).exits(with: 1)
            .doesNotPrint("differs")
    }
}
