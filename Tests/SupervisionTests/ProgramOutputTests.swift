import Glibc
import Testing

@testable import Supervision

@Suite struct ProgramOutputTests {
    private static func run(
        _ script: String, in folder: String = "/", bytes: Int = 1 << 16, time: Duration = .seconds(600)
    ) throws -> ProgramOutput {
        try ProgramOutput(
            of: ["sh", "-c", script], in: folder, environment: ["PATH=/usr/bin:/bin", "COLOR=green"],
            ProgramOutput.Limits(bytes: bytes, time: time))
    }

    @Test func `output and errors are one text, and the exit code is known`() throws {
        let output = try Self.run("echo one; echo two >&2; exit 3")
        #expect(output.text == "one\ntwo\n")
        #expect(output.end == .exit(3))
        #expect(output.end.code == 3)
    }

    @Test func `it runs in its folder, with its variables only, and without input`() throws {
        #expect(try Self.run("pwd; echo $COLOR$HOME; cat", in: "/usr").text == "/usr\ngreen\n")
    }

    @Test func `a signal is known, and is said as a shell says it`() throws {
        let output = try Self.run("kill -KILL $$")
        #expect(output.end == .signal(SIGKILL))
        #expect(output.end.code == 128 + SIGKILL)
    }

    @Test func `of much output the beginning is kept, and the program runs to its end`() throws {
        let output = try Self.run("head -c 1000000 /dev/zero | tr '\\0' x; exit 5", bytes: 1000)
        #expect(output.text == String(repeating: "x", count: 1000))
        #expect(output.end == .exit(5))
    }

    @Test func `a program that does not end is ended`() throws {
        #expect(try Self.run("echo begun; exec sleep 1000000", time: .milliseconds(50)).end == .tooLong)
    }

    @Test func `what it has started is ended with it, and is not waited for`() throws {
        let output = try Self.run("sleep 1000000 & echo $!; exit 4")
        #expect(output.end == .exit(4))
        let process = try #require(pid_t(output.text.dropLast()))
        // It is killed, and perhaps not yet waited for by the first process.
        var isAlive = true
        while isAlive {
            let state = try? String(decoding: Self.content("/proc/\(process)/stat"), as: UTF8.self)
            isAlive = state.map { !$0.contains(") Z ") } ?? false
        }
    }

    private static func content(_ path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
    }

    @Test func `a program that does not end is ended with all that it has started`() throws {
        let output = try Self.run("sleep 1000000 & echo $!; wait", time: .milliseconds(200))
        #expect(output.end == .tooLong)
    }

    @Test func `signals that are blocked here are not blocked there`() throws {
        let signals = BlockedSignals([SIGINT, SIGTERM, SIGHUP])
        defer { signals.restore() }
        #expect(try Self.run("grep SigBlk /proc/self/status").text == "SigBlk:\t0000000000000000\n")
    }

    @Test(arguments: [(["/no/such/program"], "/"), (["sh"], "/no/such/folder")])
    func `what is not there cannot be started`(_ words: [String], _ folder: String) {
        let failure = #expect(throws: ProgramNotStarted.self) {
            try ProgramOutput(
                of: words, in: folder, environment: [], ProgramOutput.Limits(bytes: 1, time: .seconds(600)))
        }
        #expect(failure?.number == ENOENT)
    }
}
