import CLab
import Execution
import Foundation
import Glibc
import Testing

/// The process that makes the search of an isolated call: the test's own program, started again to run this test up to
/// the call. A fork of this process would not do, because it would copy locks that other threads hold. The new process
/// has no active threads when it forks the processes of the search.
struct IsolatedProcess {
    private let call: IsolatedCall
    /// The limit of the process's time, in nanoseconds. Waits for a processor do not count (`OwnClock`).
    private let limit: UInt64

    init(_ call: IsolatedCall, limit: UInt64) {
        self.call = call
        self.limit = limit
    }

    /// Starts the process and waits for its report.
    func run() throws(TestingError) -> IsolatedReport {
        var (answer, status) = try execute(round: call.round)
        // The test was run again in this process. The new process makes each call only as often as one run does.
        if case .passed(let count) = answer, count > 0, count <= call.round {
            let round = CallRounds.OfProcess.shared.withLock {
                $0.correct(call.identity, call.round, inOneRun: count)
            }
            (answer, status) = try execute(round: round)
        }
        if case .report(let report) = answer { return report }
        throw TestingError(
            "the test was run again, in a process of its own, and did not reach this call within "
                + "\(limit.readable) (status \(status)). What comes before it must not depend on earlier tests, and "
                + "'explore' must be called by the test itself if XCTest runs it.")
    }

    private enum Answer {
        case report(IsolatedReport)
        /// The process has ended without a report, after this number of earlier rounds of the call.
        case passed(Int)
    }

    /// Starts the process for a round of the call, and waits for its end.
    ///
    /// - Returns: the answer, and the process's exit status.
    private func execute(round: Int) throws(TestingError) -> (Answer, Int32) {
        let program = CommandLine.arguments.first ?? ""
        let pipe = try Self.pipe()
        defer { close(pipe[0]) }
        let child: pid_t
        do throws(TestingError) {
            child = try Self.start(
                [program] + arguments(program),
                environment: [(IsolatedCall.variable, call.assignment(pipe[1], round: round))], keeping: pipe[1])
        } catch {
            close(pipe[1])
            throw error
        }
        close(pipe[1])
        let bytes = read(pipe[0], killing: child)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        let passed = bytes.prefix { $0 == IsolatedWorker.markOfEarlierRound }
        guard let report = try? JSONDecoder().decode(IsolatedReport.self, from: Data(bytes[passed.endIndex...])) else {
            return (.passed(passed.count), status)
        }
        return (.report(report), status)
    }

    /// The arguments that make the program run only this test.
    private func arguments(_ program: String) throws(TestingError) -> [String] {
        if let test = Test.current {
            return ["--testing-library", "swift-testing", "--no-parallel", "--filter", Self.pattern(for: "\(test.id)")]
        }
        let names = try Self.namesOfTests(program, endingWith: "/" + call.function.prefix { $0 != "(" })
        guard !names.isEmpty else {
            throw TestingError("an isolated search must be called by the test method itself, or within Swift Testing")
        }
        return [names.joined(separator: ",")]
    }

    /// A regular expression that matches what begins with the text.
    private static func pattern(for text: String) -> String {
        "^" + text.map { $0.isLetter || $0.isNumber || $0 == "/" || $0 == "_" ? "\($0)" : "\\\($0)" }.joined()
    }

    /// The names of XCTest tests that end in this way, as the program lists them.
    private static func namesOfTests(_ program: String, endingWith end: String) throws(TestingError) -> [String] {
        let pipe = try pipe()
        defer { close(pipe[0]) }
        let child: pid_t
        do throws(TestingError) {
            child = try start([program, "--list-tests"], environment: [], output: pipe[1])
        } catch {
            close(pipe[1])
            throw error
        }
        close(pipe[1])
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = Glibc.read(pipe[0], &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .filter { $0.hasSuffix(end) && $0.contains(".") }.map(String.init)
    }

    /// How long a wait for bytes lasts before the process's time is read, in milliseconds.
    private static let pollTime: Int32 = 100

    /// The bytes that the process sends until it ends. If it exceeds its limit, it is killed.
    private func read(_ descriptor: Int32, killing child: pid_t) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let nanoseconds = UInt64(Self.pollTime) * 1_000_000
        var clock = OwnClock(period: nanoseconds, longestSleep: 2 * nanoseconds)
        while true {
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&request, 1, Self.pollTime)
            if ready > 0 {
                let count = Glibc.read(descriptor, &chunk, chunk.count)
                if count > 0 { bytes += chunk[..<count] }
                if count == 0 || (count < 0 && errno != EINTR) { return bytes }
            } else {
                clock.read(process: child)
                guard clock.time <= limit else {
                    kill(child, SIGKILL)
                    return []
                }
            }
        }
    }

    // MARK: - Starting a program

    /// Starts this program with other arguments. Its output is discarded, or goes to a pipe.
    ///
    /// - Parameter kept: a descriptor that the new process inherits.
    private static func start(
        _ arguments: [String], environment: [(String, String)], keeping kept: Int32? = nil, output: Int32? = nil
    ) throws(TestingError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
        // Duplicating a descriptor to itself keeps it open in the new program.
        if let kept { posix_spawn_file_actions_adddup2(&actions, kept, kept) }
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var child: pid_t = 0
        let code = withStrings(arguments) { arguments in
            withStrings(variables.map { "\($0.key)=\($0.value)" }) { variables in
                posix_spawn(&child, "/proc/self/exe", &actions, nil, arguments, variables)
            }
        }
        guard code == 0 else {
            throw TestingError("cannot start the test's program again: \(String(cString: strerror(code)))")
        }
        return child
    }

    private static func withStrings<Result>(
        _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var strings: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
        defer { for string in strings { free(string) } }
        return strings.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
    }

    /// The pipe's ends for reading and for writing.
    private static func pipe() throws(TestingError) -> [Int32] {
        var ends: [Int32] = [-1, -1]
        let code = clab_private_pipe(&ends)
        guard code == 0 else { throw TestingError("cannot create a pipe: \(String(cString: strerror(code)))") }
        return ends
    }
}
