import Support
import Testing

/// The line on a terminal that says how far the work is.
@Suite struct StatusLineTests {
    private static let escape = "\u{1B}"

    /// The command on a terminal, which `script` provides. Both outputs are one there.
    private func onTerminal(_ type: String, _ program: String, _ arguments: String) throws -> Ended {
        var invocation = Invocation(
            program: "/usr/bin/script", arguments: ["-qec", "\(program) --no-pager \(arguments)", "/dev/null"])
        invocation = invocation.with("TERM", type).with("SHELL", "/bin/sh")
        return try invocation.run()
    }

    /// Each second comes before the time limit, however slow the machine is.
    private static let slow = "run trouble --variant sleeper --timeout 1500ms --format none --color never"

    @Test func `a long run on real threads says what its threads do, and erases that before the report`() throws {
        let run = try onTerminal("xterm", Programs.plugin, Self.slow)
        #expect(run.output.contains(#/\r\d+ s, /#))
        run.prints("worker waits for semaphore never (")
        let report = try #require(run.output.split(separator: "\(Self.escape)[K").last)
        #expect(report.hasPrefix("timeout: The run was still going after "))
        #expect(run.output.contains("\r\(Self.escape)[Ktimeout: "))
    }

    @Test func `a short run says nothing`() throws {
        try onTerminal("xterm", Programs.plugin, "run trouble --format none --color never").doesNotPrint(Self.escape)
    }

    @Test(arguments: [
        slow, "explore mishap --variant tells --time 1s --color never",
        "check \(Repository.root)/scenarios/basics --time 10ms --color never",
        "run mishap --variant tells --seed 1 --runs 3000",
    ]) func `a terminal that can rewrite nothing is sent no control sequences`(arguments: String) throws {
        try onTerminal("dumb", Programs.plugin, arguments).doesNotPrint(Self.escape).doesNotPrint("\r1 s")
    }

    @Test func `without a terminal there is no such line`() throws {
        try Invocation(program: Programs.plugin, arguments: Self.slow.split(separator: " ").map(String.init)).run()
            .doesNotPrint(Self.escape).doesNotPrint("1 s, ").isSaidIn("waiting ")
    }
}

extension Ended {
    /// Standard error holds one line, which begins so.
    fileprivate func isSaidIn(_ beginning: String) {
        #expect(errors.hasPrefix(beginning) && errors.split(separator: "\n").count == 1)
    }
}
