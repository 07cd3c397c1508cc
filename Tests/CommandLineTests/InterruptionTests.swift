import Glibc
import Testing

/// Runs that are ended from outside. Whatever the signal, no process is left behind (`Running` sees to that), and the
/// trace can be read.
@Suite struct InterruptionTests {
    static let runtimes = ["--native", "--controlled"]

    @Test(arguments: runtimes, [SIGINT, SIGTERM, SIGHUP])
    func `an interrupted run shows how far it came`(runtime: String, signal: Int32) throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.trace")
        for toAll in [true, false] {
            let run = try plugin("run", "trouble", "--variant", "busy", runtime, "--save", file)
                .whenItSays("busy") { toAll ? $0.signalGroup(signal) : $0.signal(signal) }.run()
            run.exits(with: 128 + signal).prints("interrupted: The run was interrupted (SIG").prints("mutex.release")
                .prints("worker was running; its last event is ").doesNotPrint("xpected")
            #expect(directory.names == ["x.trace"])
            #expect(try plugin("trace", file).run().succeeds().output == run.output)
        }
    }

    @Test(arguments: runtimes) func `a run whose threadlab is killed leaves a recording`(runtime: String) throws {
        let directory = try TemporaryDirectory()
        try plugin("run", "trouble", "--variant", "busy", runtime, "--save", directory.file("x"))
            .with("TMPDIR", directory.path).whenItSays("busy") { $0.signal(SIGKILL) }.run().dies(of: SIGKILL)
        #expect(directory.names.contains("x.recording") && !directory.names.contains("x"))
        try plugin("trace", directory.file("x.recording")).run().succeeds()
            .prints("trouble  variant=busy, steps=1, \(runtime.dropFirst(2))").prints("Trouble.swift:")
            .prints("interrupted: The trace ends before the run does").prints("mutex.release").doesNotPrint("xpected")
        let another = try threadlab("trace", directory.file("x.recording")).run().succeeds()
        another.prints("mutex.release").isSafeToShow()

        // The next run is not affected by what the last one left.
        try plugin("run", "trouble", runtime, "--save", directory.file("x")).run().succeeds()
        #expect(!directory.names.contains("x.recording") && directory.names.contains("x"))
    }

    @Test(arguments: runtimes) func `a run that is killed shows how far it came`(runtime: String) throws {
        try plugin("run", "trouble", "--variant", "busy", runtime)
            .whenItSays("busy") { running in
                let child = running.said.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { pid_t($0) }
                if let child { kill(child, SIGKILL) }
            }.run().exits(with: 1).prints("crash: The program was killed from outside (SIGKILL).").prints(
                "mutex.release")
    }

    @Test func `many runs stop at the first one that is interrupted`() throws {
        try plugin("run", "trouble", "--variant", "busy", "--runs", "5").whenItSays("busy") { $0.signalGroup(SIGINT) }
            .run()
            .exits(with: 130).prints("1 of 5 runs: interrupted 1")
    }

    @Test func `two runs at once with the same file leave one whole trace`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x")
        try plugin("run", "trouble", "--variant", "busy", "--save", file).whenItSays("busy") { running in
            _ = try? plugin("run", "trouble", "--variant", "many", "--save", file).run().succeeds()
            #expect(Files.text(file)?.hasSuffix("}\n") == true)
            running.signal(SIGINT)
        }.run().exits(with: 130)
        #expect(directory.names == ["x"])
        try plugin("trace", file).run().succeeds().prints("interrupted: The run was interrupted")
    }
}
