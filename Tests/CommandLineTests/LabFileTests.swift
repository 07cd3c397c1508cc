import Testing

/// A `.lab` file can be given wherever a scenario's name can.
@Suite struct LabFileTests {
    private static let lostUpdate = """
        /// Two threads each add to a counter.
        scenario "lost update"
        parameter times = 1 in 1...5
        shared count = 0
        thread adder[2] { repeat times { count = count + 1 } }
        finally { assert count == 2 * times, "it is \\(count)" }
        expect race, assertion

        """

    private static func written(_ text: String, _ name: String = "x.lab") throws -> (TemporaryDirectory, String) {
        let directory = try TemporaryDirectory()
        let file = directory.file(name)
        try Files.write(file, Array(text.utf8))
        return (directory, file)
    }

    @Test func `a parameter with the name of an option is an error, with another name to take`() throws {
        let text = Self.lostUpdate.replacing("times", with: "jobs")
        let (directory, file) = try Self.written(text)
        defer { withExtendedLifetime(directory) {} }
        for command in ["show", "run", "explore", "check"] {
            let run = try threadlab(command, file).wide.run().exits(with: 2)
            let said = run.output + run.errors
            #expect(said.contains("x.lab:3:11: error: a parameter cannot be called 'jobs'"))
            #expect(said.contains("the command line has an option '--jobs' of its own"))
            #expect(said.contains("call it 'jobCount', for example"))
        }
    }

    @Test(arguments: [["--native"], ["--seed", "3"], ["--seed", "3", "--times", "2"]])
    func `a file runs, with its parameters as options`(options: [String]) throws {
        let (directory, file) = try Self.written(Self.lostUpdate)
        defer { withExtendedLifetime(directory) {} }
        let run = try Invocation(program: Programs.threadlab, arguments: ["run", file] + options).run().succeeds()
        #expect(run.output.contains("'lost update' may end in race or assertion"))
        #expect(run.output.contains("x.lab:5"))
    }

    @Test func `a file's parameters do not change the command's own options`() throws {
        let text = """
            scenario "greedy"
            parameter format = true
            parameter save = true
            shared x = 0
            thread t { if format && save { x = 7 } }

            """
        let (directory, file) = try Self.written(text)
        defer { withExtendedLifetime(directory) {} }
        for options in [[], ["--format", "lanes"]] {
            let run = try Invocation(program: Programs.threadlab, arguments: ["run", file, "--seed", "1"] + options)
                .inDirectory(directory.path).run().exits(with: 2).printsNothing()
            #expect(run.errors.contains("call it 'formatValue'") && run.errors.contains("call it 'saveValue'"))
        }
        #expect(directory.names == ["x.lab"])
    }

    @Test func `a schedule and a trace of a file replay`() throws {
        let (directory, file) = try Self.written(Self.lostUpdate)
        let trace = directory.file("x.trace")
        let run = try threadlab("run", file, "--seed", "3", "--times", "2", "--save", trace).run().succeeds()
        let replay = try threadlab("replay", trace).run().succeeds()
        #expect(replay.output == run.output.replacing(", seed 3", with: ""))
    }

    @Test func `completion knows the parameters of a file, and the values of options`() throws {
        let (directory, file) = try Self.written(
            Self.lostUpdate + "parameter isFast = true\nthread t { if isFast { yield } }\n")
        defer { withExtendedLifetime(directory) {} }
        try threadlab("__complete", "--", "run", file, "--ti").run().succeeds().prints("--times\t").prints(
            "--timeout\t")
        #expect(try threadlab("__complete", "--", "run", file, "--isFast", "t").run().succeeds().output == "true\t\n")
        try threadlab("__complete", "--", "run", "").run().succeeds().prints("deadlock\t").prints("\n:files.lab\n")
    }

    @Test func `completion makes nothing of a file that is wrong or not there`() throws {
        let (directory, file) = try Self.written("scenario\n")
        for file in [file, directory.file("y.lab")] {
            try threadlab("__complete", "--", "run", file, "--se").run().succeeds().prints("--seed\t")
        }
    }

    @Test func `what is wrong with a file is shown at its place, and nothing runs`() throws {
        let (directory, file) = try Self.written("scenario \"x\"\nmutex m\nthread t { m.lokc() }\n")
        defer { withExtendedLifetime(directory) {} }
        for words in [["run", file], ["show", file], ["run", file, "--unknown", "1"]] {
            let ended = try Invocation(program: Programs.threadlab, arguments: words).run().exits(with: 2)
                .printsNothing()
            #expect(ended.errors.contains("x.lab:3:14: error: a mutex such as 'm' has no 'lokc'"))
            #expect(ended.errors.contains("did you mean 'lock'?"))
        }
    }

    @Test func `a value out of range is refused`() throws {
        let (directory, file) = try Self.written(Self.lostUpdate)
        defer { withExtendedLifetime(directory) {} }
        try threadlab("run", file, "--times", "9").run().exits(with: 2).complainsInOneLine(about: "--times 9")
    }

    @Test func `a file can run a built-in scenario`() throws {
        let (directory, file) = try Self.written(
            "scenario \"tiny\"\nrun producer-consumer(capacity: 1, variant: conditions)\nexpect completes\n")
        defer { withExtendedLifetime(directory) {} }
        let run = try threadlab("run", file, "--seed", "2", "--format", "none").run().succeeds()
        #expect(run.output.contains("As expected: 'tiny' completes."))
    }

    @Test func `show explains a file`() throws {
        let (directory, file) = try Self.written(Self.lostUpdate)
        defer { withExtendedLifetime(directory) {} }
        let text = try threadlab("show", file).run().succeeds().output
        #expect(text.contains("expect race, assertion"))
        #expect(text.contains("--times  (from 1 to 5; default 1)"))
        let json = try threadlab("show", file, "--format", "json").run().succeeds().output
        #expect(json.contains("\"expectations\":[\"race, assertion\"]"))
    }

    @Test func `show keeps what has a label apart`() throws {
        let (directory, file) = try Self.written(
            """
            /// Two threads
            /// and a lock.
            ///
            /// More of it,
            /// in two lines.
            /// Try: another number
            /// of threads.
            /// Book: the one.
            scenario "labels"
            thread t { note "x" }
            """)
        defer { withExtendedLifetime(directory) {} }
        try threadlab("show", file).run().succeeds()
            .prints(
                "\n\nTwo threads and a lock.\n\nMore of it, in two lines.\nTry: another number of threads.\nBook: the one.\n\n"
            )
    }

    @Test func `an await that can never come true is a deadlock on both runtimes`() throws {
        let (directory, file) = try Self.written(
            "scenario \"gate\"\natomic gate = 0\nthread guest { await gate.load() == 1 }\nexpect deadlock\n")
        defer { withExtendedLifetime(directory) {} }
        for runtime in ["--native", "--controlled"] {
            let run = try threadlab("run", file, runtime, "--format", "none").run().succeeds()
            #expect(run.output.contains("guest awaits a change of gate"))
        }
    }
}
