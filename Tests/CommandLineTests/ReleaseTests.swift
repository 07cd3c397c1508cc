import Support
import Testing

/// `make release-prepare`, whose own test is written in Python, like the program.
@Suite struct ReleaseTests {
    @Test func `a release is prepared as a commit and a tag, or refused with a reason`() throws {
        let test = "\(Repository.root)/Tests/Packaging/release.py"
        try Invocation(program: "/usr/bin/env", arguments: ["python3", test]).run().exits(with: 0)
    }
}
