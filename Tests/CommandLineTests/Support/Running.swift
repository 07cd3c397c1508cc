import Execution
import Glibc
import Testing

/// A running program, with a limit for what it computes and sleeps. It leads its own process group.
///
/// It and everything that it starts inherit the writing end of a pipe, the leash. When that pipe has no writer any
/// more, they have all ended: so the test detects orphans, and waits for nothing else.
struct Running {
    /// Of the program and all that it has started: a busy machine does not bring them closer to it.
    static let limitInSeconds: UInt64 = 120

    let process: pid_t
    private var output: Pipe
    private var errors: Pipe
    private var leash: Pipe
    private let cue: Invocation.Cue?
    private var wasCued = false

    /// While one program is started no other is: it would inherit the first one's pipes.
    private static let starting = Turn()

    init(_ invocation: Invocation) throws {
        Self.starting.take()
        defer { Self.starting.give() }
        output = try Pipe()
        errors = try Pipe()
        leash = try Pipe()
        cue = invocation.cue

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, invocation.input, O_RDONLY, 0)
        switch invocation.output {
        case .captured: posix_spawn_file_actions_adddup2(&actions, output.writer, 1)
        case .file(let path): posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        case .nowhere:
            output.closeReader()
            posix_spawn_file_actions_adddup2(&actions, output.writer, 1)
        case .closed: posix_spawn_file_actions_addclose(&actions, 1)
        }
        posix_spawn_file_actions_adddup2(&actions, errors.writer, 2)
        posix_spawn_file_actions_adddup2(&actions, leash.writer, 9)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)

        var process = pid_t()
        let words = invocation.words
        let code = Self.withStrings(words) { arguments in
            Self.withStrings(invocation.environment.map { "\($0)=\($1)" }) { environment in
                posix_spawn(&process, words[0], &actions, &attributes, arguments, environment)
            }
        }
        try #require(code == 0, "\(invocation.program): \(String(cString: strerror(code)))")
        self.process = process
        for pipe in [output, errors, leash] { pipe.closeWriter() }
    }

    /// What it has written to standard error so far.
    var said: String { errors.text }

    func signal(_ number: Int32) { kill(process, number) }

    /// Signals the program and all that it has started, as the terminal does.
    func signalGroup(_ number: Int32) { kill(-process, number) }

    /// Waits for its end, and for that of all that it has started.
    mutating func finish(at location: SourceLocation) -> Ended {
        var clock = OwnClock(period: 100_000_000, longestSleep: 200_000_000)
        while output.isOpen || errors.isOpen || leash.isOpen {
            clock.read(group: process)
            guard clock.time < Self.limitInSeconds * 1_000_000_000 else { break }
            var polls = [output, errors, leash].map {
                pollfd(fd: $0.isOpen ? $0.reader : -1, events: Int16(POLLIN), revents: 0)
            }
            poll(&polls, 3, 100)
            if polls[0].revents != 0 { output.read() }
            if polls[1].revents != 0 { errors.read() }
            if polls[2].revents != 0 { leash.read() }
            if let cue, !wasCued, hasWritten(cue) {
                wasCued = true
                cue.act(self)
            }
        }
        if leash.isOpen {
            Issue.record("it, or what it started, did not end in \(Self.limitInSeconds) s", sourceLocation: location)
            signalGroup(SIGKILL)
        }
        if cue != nil && !wasCued { Issue.record("it never said '\(cue!.word)'", sourceLocation: location) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        output.closeReader()
        errors.closeReader()
        leash.closeReader()
        return Ended(status: status, output: output.bytes, errors: errors.text)
    }

    private func hasWritten(_ cue: Invocation.Cue) -> Bool {
        let text = cue.stream == .output ? output.text : errors.text
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .contains { $0.hasPrefix(cue.word) }
    }

    private static func withStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}

/// A value that one thread at a time can access.
private final class Turn: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 1) }

    func take() { while sem_wait(semaphore) != 0 {} }
    func give() { sem_post(semaphore) }
}

/// A pipe from a program to the test.
private struct Pipe {
    private(set) var reader: Int32
    private(set) var writer: Int32
    private(set) var bytes: [UInt8] = []
    private(set) var isOpen = true

    init() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        (reader, writer) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func closeWriter() { close(writer) }

    mutating func closeReader() {
        if reader >= 0 { close(reader) }
        reader = -1
        isOpen = false
    }

    mutating func read() {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = Glibc.read(reader, &chunk, chunk.count)
        if count > 0 { bytes += chunk[..<count] } else if count == 0 { isOpen = false }
    }
}
