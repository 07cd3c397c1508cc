import Support
import Testing

/// The examples of docs/language.md, run as a reader would run them.
@Suite struct ManualRunTests {
    static let examples = Repository.blocks(of: "lab", in: "docs/language.md")

    @Test(arguments: examples, ["--native", "--controlled"])
    func `an example of the manual ends as it says`(example: String, runtime: String) throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("example.lab", Array(example.utf8))
        // One that continues forever is cut off on real threads.
        let limit = runtime == "--native" && example.contains("progress") ? "200ms" : "10s"
        try threadlab("run", file, runtime, "--runs", "5", "--timeout", limit).run().succeeds().prints(
            "5 of 5 runs: ")
    }
}
