import Glibc
import Support
import Testing

/// `explore --divide`, `work` and `merge`: one search, many machines.
@Suite struct WorkTests {
    private let directory: TemporaryDirectory
    private static let engines = ["/usr/bin/parallel", "/usr/sbin/sshd", "/usr/bin/ssh", "/usr/bin/rsync"]

    init() throws {
        directory = try TemporaryDirectory()
        // 34,650 orders. In one of them the order of the threads is the wrong one.
        for (name, wrong) in [("good", 0), ("bad", 332_113_221_123), ("other", 1)] {
            let text = """
                scenario "orders"
                shared order = 0
                mutex m
                thread a { repeat 4 { lock m { order = order * 10 + 1 } } }
                thread b { repeat 4 { lock m { order = order * 10 + 2 } } }
                thread c { repeat 4 { lock m { order = order * 10 + 3 } } }
                finally { assert order != \(wrong) }
                expect completes

                """
            _ = try directory.write("\(name).lab", Array(text.utf8))
        }
    }

    @discardableResult
    private func run(_ words: String...) throws -> Ended {
        try Invocation(program: Programs.threadlab, arguments: words).inDirectory(directory.path).run()
    }

    /// Divides a search and works on its tasks.
    private func results(_ folder: String, _ count: Int, _ words: [String]) throws -> [String] {
        try Invocation(
            program: Programs.threadlab, arguments: ["explore"] + words + ["--divide", "\(count)", "--to", folder]
        ).inDirectory(directory.path).run().succeeds().prints("divided: \(count) tasks")
        return try (1...count).map { number in
            try run("work", "\(folder)/\(number).task").succeeds().prints("task \(number): ")
            return "\(folder)/\(number).result"
        }
    }

    private func merge(_ results: [String]) throws -> Ended {
        try Invocation(program: Programs.threadlab, arguments: ["work", "--merge"] + results).inDirectory(
            directory.path
        ).run()
    }

    private static let randomSearches = [
        ["bad.lab", "--strategy", "pct", "--seed", "3", "--runs", "3000", "--time", "10m"],
        // In Swift: the same finding has the same place in each process.
        ["deadlock", "--strategy", "random", "--runs", "3000", "--time", "10m", "--keep-going"],
        ["good.lab", "--strategy", "random", "--outcomes", "--runs", "3000", "--time", "10m"],
        ["dining-philosophers", "--strategy", "random", "--runs", "3000", "--time", "10m"],
        ["good.lab", "--strategy", "random", "--runs", "3000", "--time", "10m"],
    ]

    @Test(arguments: Extent.first(2, of: randomSearches))
    func `what random shares show together is what one machine shows`(words: [String]) throws {
        let whole = try Invocation(program: Programs.threadlab, arguments: ["explore"] + words)
            .inDirectory(directory.path).run()
        let results = try results("tasks", 3, words)
        let joined = try merge(results.reversed())
        #expect(joined.output == whole.output && joined.code == whole.code)
    }

    @Test func `joined shares of a search under a weak model compare the models as one machine does`() throws {
        let text = """
            scenario "store buffering"
            atomic x = 0, y = 0
            shared r = 0, q = 0
            thread a { x.store(1, relaxed); r = y.load(relaxed) }
            thread b { y.store(1, relaxed); q = x.load(relaxed) }
            finally { assert r + q < 3 }
            expect completes

            """
        _ = try directory.write("weak.lab", Array(text.utf8))
        let words = [
            "weak.lab", "--model", "tso", "--strategy", "random", "--outcomes", "--runs", "2000", "--time", "10m",
        ]
        let whole = try Invocation(program: Programs.threadlab, arguments: ["explore"] + words)
            .inDirectory(directory.path).run().prints("x=1 y=1 r=0 q=0  no   yes  yes")
        let joined = try merge(try results("tasks", 2, words))
        #expect(joined.output == whole.output && joined.code == whole.code)
    }

    @Test func `a proof, a finding, and what is refused`() throws {
        for name in ["good", "bad"] {
            let whole = try run("explore", "\(name).lab", "--strategy", "dpor", "--time", "10m")
            // It depends on no other file.
            let results = try results(name, 3, ["\(name).lab", "--time", "10m"])
            rename(directory.file("\(name).lab"), directory.file("away"))
            let joined = try merge(results)
            #expect(joined.output == whole.output && joined.code == whole.code)
            rename(directory.file("away"), directory.file("\(name).lab"))
        }
        try run("work", "--merge", "good/1.result", "good/3.result").exits(with: 2).printsNothing()
            .complainsInOneLine(about: "the result of task 2 is missing")
        try run("work", "--merge", "good/1.result", "good/2.result", "good/3.result", "good/1.result").exits(with: 2)
            .printsNothing()
            .complainsInOneLine(about: "are both of task 1: name one")
        try run("work", "--merge", "good/1.result", "good/2.result", "bad/3.result").exits(with: 2).printsNothing()
            .complainsInOneLine(about: "bad/3.result and good/1.result are of different searches: the program ")
        try run("work", "--merge", "good/1.result", "good/2.result", "good/3.result", "--junit", "x").exits(with: 2)
            .printsNothing()
            .complainsInOneLine(about: "unknown option '--junit' for 'work': 'check' has it")
        try run("work", "good/1.task", "--output", "bad/1.result").exits(with: 2).printsNothing()
            .complainsInOneLine(about: "bad/1.result is of another task")
        try run("work", "good/1.task").succeeds().prints("; was complete")
        try run("work", "good/1.result").exits(with: 2).complainsInOneLine(about: "is not a task of a search")
        try run("work", "--merge", "good/1.task").exits(with: 2).complainsInOneLine(
            about: "good/1.task is not a result")
        // Each byte counts.
        let bytes = try #require(Files.read(directory.file("good/1.result")))
        for place in stride(from: 24, to: bytes.count, by: bytes.count / 50) {
            var damaged = bytes
            damaged[place] ^= 1
            _ = try directory.write("damaged", damaged)
            try run("work", "--merge", "damaged", "good/2.result", "good/3.result").exits(with: 2).printsNothing()
        }
    }

    /// A result with one finding.
    private func lockingResult() throws -> ForgedFile {
        let text = """
            scenario "locks"
            mutex a, b
            thread x { lock a { lock b { } } }
            thread y { lock b { lock a { } } }
            expect completes

            """
        _ = try directory.write("locks.lab", Array(text.utf8))
        try run("explore", "locks.lab", "--divide", "1", "--to", "tasks", "--strategy", "random", "--runs", "50")
            .succeeds()
        try run("work", "tasks/1.task").succeeds().prints("found: deadlock")
        return ForgedFile(try #require(Files.read(directory.file("tasks/1.result"))))
    }

    @Test func `a forged finding is the mistake of its file`() throws {
        _ = try directory.write("x", try #require(try lockingResult().with("livelock", insteadOf: "deadlock")))
        try run("work", "--merge", "x").exits(with: 2).printsNothing().complainsInOneLine(
            about: "x: no result of this program: the search found 'livelock', but the same choices lead to 'deadlock'")
    }

    @Test func `a schedule with a thread that no program has is damage`() throws {
        let forged = try lockingResult()
        for place in 0..<forged.wordCount {
            _ = try directory.write("x", forged.with(1 << 31 - 1, at: place))
            let merged = try run("work", "--merge", "x")
            let isOwn = merged.code.map { (0...2).contains($0) } ?? false
            #expect(isOwn, "\(place): \(merged.errors)")
        }
    }

    @Test func `several tasks in one command have the results of one for each`() throws {
        let whole = try run("explore", "good.lab", "--strategy", "dpor", "--time", "10m")
        try run("explore", "good.lab", "--divide", "3", "--to", "tasks", "--time", "10m").succeeds()
        // What is wrong among them is found before the first one takes its time.
        try run("work", "tasks/1.task", "good.lab").exits(with: 2).printsNothing()
            .complainsInOneLine(about: "good.lab is not a task of a search")
        try run("work", "tasks/1.task", "tasks/2.task", "--output", "x").exits(with: 2).printsNothing()
            .complainsInOneLine(about: "--output x is for one task, and there are 2")
        let short = try run("work", "tasks/1.task", "tasks/2.task", "--time", "1ms").exits(with: 1)
        short.prints("task 1: ").prints("tasks/2.task: there was no time for it")
        for name in TemporaryDirectory.names(in: directory.file("tasks"))
        where !["1.task", "2.task", "3.task"].contains(name) {
            unlink(directory.file("tasks/\(name)"))
        }
        try run("work", "tasks/1.task", "tasks/2.task").succeeds().prints("task 1: ").prints("task 2: ")
        try run("work", "tasks/1.task", "tasks/2.task", "tasks/3.task").succeeds().prints("; was complete\ntask 3: ")
        // What is complete needs neither time nor a lock.
        try run("work", "tasks/1.task", "tasks/2.task", "--time", "1ms").succeeds().prints("; was complete\ntask 2: ")
        #expect(!TemporaryDirectory.names(in: directory.file("tasks")).contains { $0.hasSuffix(".lock") })
        let joined = try merge((1...3).map { "tasks/\($0).result" })
        #expect(joined.output == whole.output && joined.code == whole.code)
    }

    /// The script divides a search, kills the engine while it works, continues, and then works at the other end of a connection.
    @Test(
        .enabled(
            if: engines.allSatisfy { access($0 as String, X_OK) == 0 },
            "GNU parallel, rsync, ssh and sshd are needed: apt-get install parallel openssh-server rsync"))
    func `GNU parallel works on tasks, here and by way of ssh`() throws {
        let script = "\(Repository.root)/Tests/Scale/parallel.sh"
        var invocation = Invocation(program: "/usr/bin/setsid", arguments: ["--wait", "/bin/bash", script]).inDirectory(
            directory.path)
        invocation.environment["THREADLAB"] = Programs.threadlab
        invocation.environment["TMPDIR"] = directory.path
        invocation.environment["HOME"] = directory.path
        invocation.environment["LAST"] = "3"
        let ended = try invocation.run().succeeds()
        let same =
            "GNU parallel: what is joined is what one machine finds: proved: none of 11,550 orders fails, under any memory model."
        #expect(ended.output.ranges(of: same).count == 2, "\(ended.output)")
    }

    /// Real kills of the command, whenever it has saved something new.
    @Test func `work that is killed again and again is done in the end`() throws {
        let whole = try run("explore", "good.lab", "--strategy", "dpor", "--time", "10m")
        try run("explore", "good.lab", "--divide", "1", "--to", "tasks", "--time", "10m").succeeds()
        var kills = 0
        while access(directory.file("tasks/1.result"), F_OK) != 0 {
            let worker = try KilledWorker(directory.path, "tasks/1.task")
            if worker.runUntilSaved("1.result.progress", in: directory.file("tasks")) { kills += 1 }
        }
        #expect(kills > 3)
        let joined = try merge(["tasks/1.result"])
        #expect(joined.output == whole.output && joined.code == whole.code)
    }

    /// A limit of time is reached at some moment or other.
    @Test func `what does not fit into its time becomes new tasks`() throws {
        try run("explore", "good.lab", "--divide", "2", "--to", "tasks", "--time", "10m").succeeds()
        try run("work", "tasks/1.task", "--time", "1ms").succeeds()
        try run("work", "--merge", "tasks/1.result").exits(with: 2).printsNothing().complainsInOneLine(
            about: "missing: 2, 1.1")
        var open = ["2"] + (1...16).map { "1.\($0)" }.filter { access(directory.file("tasks/\($0).task"), F_OK) == 0 }
        #expect(open.count > 1)
        let all = open
        while let name = open.popLast() { try run("work", "tasks/\(name).task").succeeds() }
        try merge((["1"] + all).map { "tasks/\($0).result" }).exits(with: 0)
            .prints("proved: none of 34,650 orders fails, under any memory model.")
        try merge((["1"] + all.dropLast()).map { "tasks/\($0).result" }).exits(with: 2).printsNothing()
    }

    @Test(arguments: [
        (["--strategy", "states", "--runs", "7"], "leave out --runs"),
        (["--strategy", "dfs"], "needs one memory for all that it has seen"),
        (["--runs", "7"], "leave out --runs"),
    ])
    func `what cannot be divided is refused`(words: [String], message: String) throws {
        try Invocation(
            program: Programs.threadlab, arguments: ["explore", "good.lab", "--divide", "2", "--to", "tasks"] + words
        ).inDirectory(directory.path).run().exits(with: 2).printsNothing().complainsInOneLine(about: message)
        #expect(access(directory.file("tasks"), F_OK) != 0)
    }

    @Test func `a folder and a number belong together`() throws {
        try run("explore", "good.lab", "--divide", "2").exits(with: 2).complainsInOneLine(about: "give both")
        try run("explore", "good.lab", "--to", "tasks").exits(with: 2).complainsInOneLine(about: "give both")
        try run("explore", "good.lab", "--divide", "2", "--to", "good.lab").exits(with: 2)
            .complainsInOneLine(about: "good.lab already exists")
        #expect(access(directory.file("tasks"), F_OK) != 0)
    }

    /// Two tasks are not there where one is enough, and scripts need not ask whether there are any.
    @Test(arguments: [
        (["deadlock"], ["--strategy", "dpor"]), (["lost-update-fixed"], ["--strategy", "dpor"]),
        (["lost-update", "--strategy", "states"], []),
        (["corr", "--model", "rc11"], ["--strategy", "graphs"]),
    ])
    func `a search that is over before it is divided is one task`(words: [String], strategy: [String]) throws {
        let whole = try Invocation(program: Programs.threadlab, arguments: ["explore"] + words + strategy)
            .inDirectory(directory.path).run()
        let divided = try Invocation(
            program: Programs.threadlab, arguments: ["explore"] + words + ["--divide", "4", "--to", "tasks"]
        ).inDirectory(directory.path).run()
        let note = "1 task: the search was over before it was divided, so tasks/1.task is all of it, for scripts\n"
        #expect(divided.output == whole.output + note && divided.code == whole.code)
        #expect(TemporaryDirectory.names(in: directory.file("tasks")) == ["1.task"])
        try run("work", "tasks/1.task").succeeds().prints("task 1: ")
        let joined = try merge(["tasks/1.result"])
        #expect(joined.output == whole.output && joined.code == whole.code)
    }

    /// One execution never ends, so no limit is wide enough.
    @Test func `a task that cannot be done and not be divided stays as it was`() throws {
        try plugin(
            "explore", "mishap", "--variant", "hang", "--strategy", "random", "--runs", "8", "--step-time", "1h",
            "--divide", "1",
            "--to", "tasks"
        ).inDirectory(directory.path).run().succeeds().prints("divided: 1 task with the executions")
        for _ in 1...2 {
            try plugin("work", "tasks/1.task", "--time", "10ms").inDirectory(directory.path).run().exits(with: 1)
                .prints("task 1: not done within its limits, and divided no further: give it more --time or --memory")
        }
        let names = TemporaryDirectory.names(in: directory.file("tasks"))
        #expect(names.contains("1.task") && !names.contains { $0.hasPrefix("1.1") || $0 == "1.result" }, "\(names)")
    }
}

/// A process that works on a task until it has saved something.
private struct KilledWorker {
    private let process: pid_t
    private let notices: Int32

    init(_ folder: String, _ task: String) throws {
        notices = inotify_init1(Int32(IN_CLOEXEC))
        try #require(notices >= 0)
        inotify_add_watch(notices, folder + "/tasks", UInt32(IN_MOVED_TO))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        var process = pid_t()
        let words: [UnsafeMutablePointer<CChar>?] =
            ([Programs.threadlab, "work", "\(folder)/\(task)"] as [String]).map { strdup($0) } + [nil]
        let code = posix_spawn(&process, Programs.threadlab, &actions, nil, words, environ)
        for word in words { free(word) }
        try #require(code == 0)
        self.process = process
    }

    /// Waits until a file with this name has been replaced, or the process has ended, and kills it.
    ///
    /// - Returns: whether it was killed.
    func runUntilSaved(_ name: String, in folder: String) -> Bool {
        defer { close(notices) }
        var hasSaved = false
        while !hasSaved && !hasEnded {
            var poll = pollfd(fd: notices, events: Int16(POLLIN), revents: 0)
            guard Glibc.poll(&poll, 1, 20) > 0 else { continue }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(notices, &bytes, bytes.count)
            hasSaved = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).contains(name)
        }
        let isKilled = !hasEnded
        kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return isKilled
    }

    private var hasEnded: Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(process), &info, Int32(WEXITED | WNOHANG | WNOWAIT)) == 0 && info.si_signo == SIGCHLD
    }
}
