import Support
import Testing

/// Runs continue in copies of their process: where `play` goes back, where a search branches.
@Suite struct CopiedProcessTests {
    @Test func `a run with a condition continues in a copy that was made where a value is chosen`() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("it.lab", Array(Self.program.utf8))
        let steps =
            Array(repeating: "1", count: 4) + Array(repeating: "2", count: 4) + [
                "3", "3", "3", "1", "3", "run until end",
            ]
        let input = try directory.write("in", Array(steps.map { $0 + "\n" }.joined().utf8))
        try threadlab("play", file, "--plain").reading(from: input).run().succeeds().prints(
            "keeper's step can go 3 ways."
        ).prints("write go = 1").prints("The run has ended: completed.")
    }

    private static let program = """
        scenario "chosen"
        shared go = 0
        mutex m
        condition c with m
        thread waiter[2] { lock m { while go == 0 { c.wait() } } }
        thread keeper { lock m { go = choose(3); c.broadcast() } }

        """

    /// It notes the number of the thread that holds it, which is wrong in a copy (`Guarded`).
    @Test func `no code that can run in a copy has a lock of the Synchronization library`() {
        for path in Repository.paths(in: "Sources", ending: ".swift") where !path.hasPrefix("Sources/Costs/") {
            let text = Repository.text(of: path) ?? ""
            let lines = text.split(separator: "\n").filter { !$0.contains("//") }
            let isUsed = text.contains("import Synchronization") && lines.contains { $0.contains(/= Mutex[<(]/) }
            #expect(!isUsed, "\(path): write Guarded")
        }
    }
}
