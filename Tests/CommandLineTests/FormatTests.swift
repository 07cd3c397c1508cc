import Testing

/// Formats, colors and widths.
@Suite struct FormatTests {
    private static let escape: Character = "\u{1B}"

    @Test func `JSON of list and show is JSON`() throws {
        #expect(isJSON(try threadlab("show", "--format", "json").run().succeeds().output))
        for scenario in CommandTests.scenarios {
            #expect(isJSON(try threadlab("show", scenario, "--format", "json").run().succeeds().output))
        }
    }

    @Test(arguments: ["--native", "--controlled"]) func `JSON of run is a line an event`(runtime: String) throws {
        for scenario in runtime == "--native" ? CommandTests.scenarios : CommandTests.schedulable {
            let run = try threadlab("run", scenario, runtime, "--format", "json").run().succeeds().printsJSONLines()
            #expect(run.lines.first?.hasPrefix("{\"threadlab\":2,\"scenario\":\"\(scenario)\"") == true)
            #expect(run.lines.last?.hasPrefix("{\"outcome\":") == true)
        }
    }

    @Test func `JSON of many runs is a line a run`() throws {
        let runs = try threadlab("run", "deadlock", "--seed", "1", "--runs", "3", "--format", "json").run().succeeds()
            .printsJSONLines()
        #expect(runs.lines.count == 4)
        #expect(
            runs.lines.last
                == "{\"runs\":3,\"outcomes\":{\"deadlock\":3},\"first\":{\"deadlock\":{\"run\":1,\"seed\":1}},\"findings\":[]}"
        )
    }

    // MARK: - Colors

    private func hasColor(_ invocation: Invocation) throws -> Bool {
        try invocation.run().succeeds().output.contains(Self.escape)
    }

    @Test(arguments: ["text", "lanes", "none"]) func `without a terminal there is color only on demand`(format: String)
        throws
    {
        let run = threadlab("run", "deadlock", "--seed", "1", "--format", format)
        #expect(try !hasColor(run))
        #expect(try !hasColor(run.with("CLICOLOR_FORCE", "0")))
        #expect(try hasColor(run.with("CLICOLOR_FORCE", "1")))
        #expect(try !hasColor(run.with("CLICOLOR_FORCE", "1").with("NO_COLOR", "1")))
        #expect(try hasColor(run.with("CLICOLOR_FORCE", "1").with("NO_COLOR", "")))
        let always = threadlab("run", "deadlock", "--seed", "1", "--format", format, "--color", "always")
        #expect(try hasColor(always.with("NO_COLOR", "1")))
        let never = threadlab("run", "deadlock", "--seed", "1", "--format", format, "--color", "never")
        #expect(try !hasColor(never.with("CLICOLOR_FORCE", "1")))
    }

    @Test func `JSON never has color`() throws {
        #expect(try !hasColor(threadlab("run", "deadlock", "--seed", "1", "--format", "json", "--color", "always")))
    }

    @Test func `colors do not change the text`() throws {
        for format in ["text", "lanes"] {
            let plain = try threadlab("run", "deadlock", "--seed", "1", "--format", format).run()
            let colored = try threadlab("run", "deadlock", "--seed", "1", "--format", format, "--color", "always")
                .run()
            #expect(colored.output.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain.output)
        }
    }

    // MARK: - Widths

    private func widest(_ ended: Ended) -> Int {
        // Commands and paths are there to be pasted, in one piece; and a long word keeps a line to itself.
        let isPasted = /\ \ threadlab |Source:|Sources\/|Replay:|^\ *[^\ ]+$/
        return ended.succeeds().lines.filter { !$0.contains(isPasted) }.map(\.count).max() ?? 0
    }

    @Test(arguments: [40, 80, 300]) func `output keeps to the width`(width: Int) throws {
        let commands = [
            threadlab(), threadlab("help"), threadlab("show"), threadlab("show", "--long"),
            threadlab("show", "cancellation"),
            threadlab("run", "deadlock", "--seed", "1", "--format", "none"),
        ]
        for command in commands {
            #expect(try widest(command.with("COLUMNS", "\(width)").run()) <= width, "\(command.arguments)")
        }
        let lanes = try threadlab("run", "deadlock", "--seed", "1", "--format", "lanes", "--width", "\(width)").run()
        // Except for the command to copy, which is not broken.
        #expect(lanes.succeeds().lines.dropLast().allSatisfy { $0.count <= width })
    }

    @Test func `a width that is hardly one is no harm`() throws {
        for width in ["20", "1", "0", "-5", "x", "99999999999999999999"] {
            for format in ["text", "lanes", "none"] {
                try threadlab("run", "deadlock", "--seed", "1", "--format", format).with("COLUMNS", width).run()
                    .succeeds()
                    .prints("deadlock:")
            }
            try threadlab("show", "deadlock").with("COLUMNS", width).run().succeeds()
        }
    }
}
