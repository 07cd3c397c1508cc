import Support
import Testing

/// Submissions whose texts keep to their task, and whose runs do not: they are judged over all interleavings.
@Suite struct TaskTests {
    struct Submission: CustomTestStringConvertible {
        let name: String
        let exit: Int32
        let words: String
        let body: String

        var testDescription: String { name }

        init(_ name: String, _ exit: Int32, _ words: String, _ body: String) {
            (self.name, self.exit, self.words, self.body) = (name, exit, words, body)
        }
    }

    static let beginning = """
        scenario "two at once"
        parameter n = 2
        given shared count = 0
        given atomic there = 0
        given func enter() { there.add(1) }
        given func leave() { there.add(-1) }
        given func add() { count += 1 }

        """
    static let task =
        beginning + """
            mutex m
            thread adder[n] { enter(); leave(); add() }
            finally { assert count == n }
            expect completes
            expect possible there == 2
            task { no busy waiting; each adder calls add; each adder calls enter }

            """

    static let submissions = [
        Submission("a lock", 0, "proved", "mutex m\nthread adder[n] { enter(); leave(); lock m { add() } }"),
        Submission(
            "a semaphore", 0, "proved",
            "semaphore s = 1\nthread adder[n] { enter(); leave(); s.wait(); add(); s.signal() }"),
        Submission(
            "a ticket and await", 0, "proved",
            "atomic next = 0, now = 0\nthread adder[n] { enter(); leave(); let mine = next.add(1); await now.load() == mine; add(); now.add(1) }"
        ),
        Submission(
            "a condition", 0, "proved",
            "mutex m\ncondition free with m\nshared taken = false\n"
                + "thread adder[n] { enter(); leave()\n lock m { while taken { free.wait() }; taken = true }\n add()\n"
                + " lock m { taken = false; free.signal() } }"),
        Submission("nothing", 1, "race", "thread adder[n] { enter(); leave(); add() }"),
        Submission(
            "everything under one lock", 1, "'there == 2' is never true",
            "mutex m\nthread adder[n] { lock m { enter(); leave(); add() } }"),
        Submission(
            "claims of its own", 1, "race",
            "thread adder[n] { enter(); leave(); add() }\nexpect race, assertion\nfinally { assert true }\ntask { at most 9 threads }"
        ),
        Submission(
            "waiting forever", 1, "deadlock", "semaphore s\nthread adder[n] { enter(); leave(); add(); s.wait() }"),
        Submission(
            "spinning", 1, "busy waiting: a thread can go round and round alone",
            "atomic t = false\nthread adder[n] { enter(); leave()\n while t.exchange(true) { yield }\n add(); t.store(false) }"
        ),
        Submission(
            "spinning with a sleep", 1, "busy waiting",
            "atomic t = false\nthread adder[n] { enter(); leave()\n while t.exchange(true) { sleep 1ms }\n add(); t.store(false) }"
        ),
        Submission(
            "spinning with a counter", 1, "not proved: 10 of 9,970 executions did not end within 10,000 steps\n",
            "mutex m\nthread adder[n] { enter(); leave(); var i = 0\n while !m.tryLock() { i += 1 }\n add(); m.unlock() }"
        ),
        Submission(
            "a turn for each, by time", 1, "race",
            "thread adder[n] { enter(); leave(); if index == 1 { sleep 1s }\n add() }"),
        Submission("a loop without end", 1, "livelock", "thread adder[n] { enter(); leave(); while true { }\n add() }"),
        Submission(
            "too many states", 1, "not proved: execution limit reached\n",
            "mutex m\nshared big[40] = 0\nthread adder[n] { enter(); leave(); lock m { add() }\n"
                + " for i in 0..<20 { big[index * 20 + i] = choose(1000) } }"),
        Submission("an error", 2, "error: there is no", "thread adder[n] { enter(); leave(); add(); nothing() }"),
        Submission("fewer threads", 1, "this is 'thread adder[1]'", "thread adder[1] { enter(); leave(); add() }"),
    ]

    @Test(arguments: submissions) func `a submission is judged by the task's claims`(_ submission: Submission) throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write("task.lab", Array(Self.task.utf8))
        _ = try directory.write("answer.lab", Array((Self.beginning + submission.body + "\n").utf8))
        let check = try threadlab("check", "answer.lab", "--against", "task.lab", "--time", "1h").wide
            .inDirectory(directory.path).run().exits(with: submission.exit)
        #expect((check.output + check.errors).contains(submission.words), "\(check.output)")
        // What it prints works.
        for match in check.output.matches(of: /threadlab (replay|explore|play) [^\n]*/) {
            let words = match.output.0.split(separator: " ").dropFirst().map(String.init)
            if words.contains("5m") || submission.words.hasPrefix("not proved") { continue }
            let again = try Invocation(program: Programs.threadlab, arguments: words).inDirectory(directory.path).run()
            #expect(again.code == (words[0] == "play" ? 0 : 1), "\(match.output.0)")
        }
    }

    @Test func `run, explore and play take the task, and refuse what evades it`() throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write("task.lab", Array(Self.task.utf8))
        _ = try directory.write(
            "answer.lab", Array((Self.beginning + "thread adder[n] { enter(); leave(); add() }\nexpect race\n").utf8))
        _ = try directory.write(
            "cheat.lab", Array((Self.beginning + "thread adder[1] { enter(); leave(); add() }\n").utf8))
        try threadlab("run", "answer.lab", "--against", "task.lab", "--seed", "1").inDirectory(directory.path).run()
            .exits(with: 1)
        try threadlab("explore", "answer.lab", "--against", "task.lab").inDirectory(directory.path).run().exits(with: 1)
            .prints("--against task.lab")
        let cheat = try threadlab("explore", "cheat.lab", "--against", "task.lab").inDirectory(directory.path).run()
        #expect(cheat.code == 1 && cheat.errors.contains("cheat.lab:8:8: task: the task has 'thread adder[n]'"))
        try threadlab("check", "answer.lab", "--against", "none.lab").inDirectory(directory.path).run().exits(with: 2)
    }

    @Test func `formats say what evades and what is not decided`() throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write("task.lab", Array(Self.task.utf8))
        _ = try directory.write(
            "cheat.lab", Array((Self.beginning + "thread adder[1] { enter(); leave(); add() }\n").utf8))
        let json = try threadlab("check", "cheat.lab", "--against", "task.lab", "--format", "json", "--junit", "r.xml")
            .inDirectory(directory.path).run().exits(with: 1)
        json.prints("\"verdict\":\"evading\"").prints("\"code\":\"thread\"").prints("\"line\":8")
        #expect(Files.text(directory.file("r.xml"))?.contains("<failure type=\"evading\"") == true)
    }

    @Test func `a file is held to its own task by a plain check`() throws {
        let directory = try TemporaryDirectory()
        let text = "scenario \"x\"\nmutex m, n\nthread t { lock m { }; lock n { } }\ntask { at most 1 mutex }\n"
        let file = try directory.write("own.lab", Array(text.utf8))
        try threadlab("check", file).run().exits(with: 1).prints(
            "task: the task allows at most 1 mutex, and this program has 2")
        try threadlab("run", file, "--seed", "1").run().succeeds()
    }

    @Test func `a class is graded, by name, with what is missing and what went wrong most`() throws {
        let directory = try TemporaryDirectory()
        for folder in ["tasks", "tasks/deep", "zoe", "anna", "anna/later"] { try directory.directory(folder) }
        _ = try directory.write("tasks/count.lab", Array(Self.task.utf8))
        _ = try directory.write("tasks/deep/task.lab", Array(Self.task.utf8))
        let good = Self.beginning + "mutex m\nthread adder[n] { enter(); leave(); lock m { add() } }\n"
        let bad = Self.beginning + "thread adder[n] { enter(); leave(); add() }\n"
        let cheat = Self.beginning + "thread adder[1] { enter(); leave(); add() }\n"
        _ = try directory.write("zoe/count.lab", Array(bad.utf8))
        _ = try directory.write("anna/count.lab", Array(good.utf8))
        _ = try directory.write("anna/later/deep.lab", Array(cheat.utf8))
        let grade = { (words: [String]) in
            try Invocation(program: Programs.threadlab, arguments: ["learn", "grade", "tasks", "zoe", "anna"] + words)
                .wide
                .inDirectory(directory.path).run().succeeds()
        }
        try grade([]).prints("anna     pass").prints("zoe ").prints("1 of 2").prints(
            "1 of 3 submissions passed, 1 missing")
        let csv = try grade(["--format", "csv", "--html", "pages"]).output
        #expect(
            csv.hasPrefix("student,task,outcome,code,line,message\nanna,count,passed,,,\nanna,deep,evading,thread,8,"))
        #expect(csv.contains("\nzoe,deep,missing,,,\n"))
        #expect(try grade(["--format", "csv", "--jobs", "1"]).output == csv)
        try grade(["--format", "json", "--times"]).prints("\"mistakes\":[").prints("\"seconds\":")
        #expect(TemporaryDirectory.names(in: directory.file("pages")).contains("anna-deep.html"))
        #expect(
            Files.text(directory.file("pages/index.html"))?.contains("href=\"anna-deep.html\"") == true)
        try threadlab("learn", "grade", "tasks").inDirectory(directory.path).run().exits(with: 2)
        try threadlab("learn", "grade", "zoe/count.lab", "anna").inDirectory(directory.path).run().exits(with: 2)
    }
}
