import Glibc
import Testing

/// Programs that threadlab starts, as a compiler, in groups of their own: what ends threadlab would leave them behind.
@Suite struct StartedProgramTests {
    /// A compiler that says that it runs, to where threadlab writes its errors, and never ends.
    private static let compiler = "#!/bin/sh\necho begun > /proc/$PPID/fd/2\nexec tail -f /dev/null\n"

    @Test(arguments: [SIGKILL, SIGTERM])
    func `a program ends with the one that has started it`(signal: Int32) throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write("compiler", Array(Self.compiler.utf8))
        try #require(chmod(path, 0o700) == 0)
        // That all have ended is what the run waits for.
        let ended = try Invocation(program: Programs.threadlab, arguments: ["cc", "--", "./compiler", "x.c"])
            .inDirectory(folder.path).whenItSays("begun") { $0.signal(signal) }.run()
        #expect(ended.signal == signal)
    }
}
