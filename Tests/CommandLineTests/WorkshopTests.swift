import Glibc
import Support
import Testing

/// The commands of docs/workshop.md and docs/courses.md, in their order, in one folder, as a teacher types them.
@Suite struct WorkshopTests {
    @Test(arguments: ["docs/workshop.md"])
    func `every command of the page works, in order`(page: String) throws {
        let directory = try TemporaryDirectory()
        try directory.directory("bin")
        try #require(symlink(Programs.threadlab, directory.file("bin/threadlab")) == 0)
        let commands = Repository.blocks(of: "sh", in: page).flatMap { $0.split(separator: "\n") }
            .filter { !$0.hasPrefix("#") }
        #expect(commands.count > 20)
        // A finding is what many of them are to show; a wrong command line is not.
        let script = commands.map { command in
            "\(command) </dev/null >output 2>&1; code=$?\n"
                + "if [ $code -gt 1 ]; then echo \"exit code $code:\" '\(command.replacing("'", with: "'\\''"))'; cat output; fi\n"
        }.joined()
        _ = try directory.write("workshop.sh", Array(script.utf8))
        var run = Invocation(program: "/bin/sh", arguments: ["workshop.sh"]).inDirectory(directory.path)
        run.environment["PATH"] = directory.file("bin") + ":/usr/bin:/bin"
        #expect(try run.run().succeeds().output == "")
    }
}
