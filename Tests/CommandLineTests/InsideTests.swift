import Support
import Testing

/// What is inside a built object is not shown, on either runtime.
@Suite struct InsideTests {
    private static let runtimes = [["--native"], ["--seed", "1"]]

    private func run(_ words: [String]) throws -> Ended {
        try Invocation(program: Programs.threadlab, arguments: ["run"] + words + ["--format", "lanes"]).run().succeeds()
    }

    @Test(arguments: runtimes) func `a condition lock says for which condition a thread waits, and which it has`(
        runtime: [String]
    ) throws {
        try run(["producer-consumer", "--variant", "plain-unlock"] + runtime)
            .prints("waits for buffer at HAS_DATA")
            .prints("wait for buffer at HAS_DATA, and it is at\n  NO_DATA: no thread is left to change that.")
            .doesNotPrint("buffer's")
    }

    @Test(arguments: runtimes) func `a barrier hides its lock`(runtime: [String]) throws {
        try run(["deadlock", "--variant", "try-lock"] + runtime).prints("waits for step").doesNotPrint("step's lock")
    }

    @Test func `the insides are an option away`() throws {
        try run(["deadlock", "--variant", "try-lock", "--seed", "1", "--insides"]).prints("lock step's lock")
    }
}
