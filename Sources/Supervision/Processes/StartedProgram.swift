import CLab
import Glibc

/// A program of the system that has been started, without a terminal and without input. What it prints is read here.
package struct StartedProgram {
    /// What it prints can be read from this descriptor, and its end, too.
    package let output: Int32
    private let process: pid_t

    /// - Parameters:
    ///   - words: the program, as a path or a name to look for in `PATH`, and its arguments.
    ///   - folder: where it runs.
    ///   - environment: all of its variables, each as `NAME=VALUE`. Nil: those of this process.
    ///   - keepsErrors: whether what it prints to standard error is a part of its output; otherwise it is dropped.
    /// - Throws: `ProgramNotStarted`.
    package init(_ words: [String], in folder: String, environment: [String]? = nil, keepsErrors: Bool)
        throws(ProgramNotStarted)
    {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw ProgramNotStarted(number: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[1]) }
        var arguments = Self.copies(words)
        var variables = environment.map(Self.copies)
        defer { for text in arguments + (variables ?? []) { free(text) } }
        var child: pid_t = 0
        let failure =
            if variables != nil {
                clab_spawn(&arguments, &variables!, folder, ends[1], keepsErrors ? 1 : 0, &child)
            } else {
                clab_spawn(&arguments, environ, folder, ends[1], keepsErrors ? 1 : 0, &child)
            }
        guard failure == 0 else {
            close(ends[0])
            throw ProgramNotStarted(number: failure)
        }
        output = ends[0]
        process = child
    }

    private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }

    /// Reads what has arrived; waits only if nothing has.
    ///
    /// - Parameter most: what is longer is read, and dropped.
    /// - Returns: whether that was the end of its output.
    package func receive(into bytes: inout [UInt8], upTo most: Int) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        let count = read(output, &chunk, chunk.count)
        if count < 0 && errno == EINTR { return false }
        if count <= 0 { return true }
        bytes += chunk[..<min(count, most - bytes.count)]
        return false
    }

    /// Asks it to end, and all that it has started in its group of processes.
    package func signal(_ number: Int32) { kill(-process, number) }

    /// This process was asked to stop (`SIGTSTP`, Ctrl-Z), for which it waits: the programs, whose groups a terminal does not stop, stop
    /// and continue with it.
    ///
    /// - Returns: how long that took.
    package static func stop(_ programs: [StartedProgram]) -> Duration {
        let start = ContinuousClock.now
        for program in programs { program.signal(SIGSTOP) }
        var set = sigset_t()
        var before = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTSTP)
        kill(getpid(), SIGTSTP)
        // It stops here, unless the system has no shell that could continue it.
        pthread_sigmask(SIG_UNBLOCK, &set, &before)
        pthread_sigmask(SIG_SETMASK, &before, nil)
        for program in programs { program.signal(SIGCONT) }
        return ContinuousClock.now - start
    }

    /// Reads what has arrived, and waits for nothing.
    ///
    /// - Returns: whether that was all: it has ended, though what it has started may keep its output open.
    package func receiveAll(into bytes: inout [UInt8], upTo most: Int) -> Bool {
        // What it has printed until then has arrived.
        let isOver = hasEnded
        // What still prints must not keep this from anything else.
        for _ in 0..<64 {
            var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&wanted, 1, 0) > 0 else { return isOver }
            if receive(into: &bytes, upTo: most) {
                // It may have closed its output, and run on.
                if !isOver && !hasEnded { poll(nil, 0, 10) }
                return isOver || hasEnded
            }
        }
        return isOver
    }

    private var hasEnded: Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo != 0
    }

    /// Waits for its end, and ends what it has left in its group. Afterwards nothing can be read. Call it once.
    package func wait() -> ProgramEnd {
        close(output)
        // Its number is its group's for as long as it has not been waited for.
        var info = siginfo_t()
        while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        signal(SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return status & 0x7f == 0 ? .exit(status >> 8 & 0xff) : .signal(status & 0x7f)
    }
}

/// A program of the system could not be started.
package struct ProgramNotStarted: Error, CustomStringConvertible {
    /// The system's error number: `ENOENT` if there is no such program, or no such folder to run it in.
    package let number: Int32

    package var reason: String { String(cString: strerror(number)) }
    package var description: String { reason }
}

/// How a program of the system has ended.
package enum ProgramEnd: Equatable, Sendable {
    case exit(Int32)
    case signal(Int32)
    /// It was ended because it took too long.
    case tooLong

    /// As a shell says it.
    package var code: Int32 {
        switch self {
        case .exit(let code): code
        case .signal(let number): 128 + number
        case .tooLong: 128 + SIGTERM
        }
    }

    /// The end of the sentence "the program …".
    package var words: String {
        switch self {
        case .exit(let code): "ended with \(code)"
        case .signal(let number): "was ended by signal \(number)"
        case .tooLong: "was ended because it took too long"
        }
    }
}
