import CLab
import Glibc

/// A running external program, without a terminal and without input. Its output is read here.
package struct StartedProgram {
    /// The descriptor from which its output, and the end of it, can be read.
    package let output: Int32
    private let process: pid_t

    /// - Parameters:
    ///   - words: the program, as a path or a name to look for in `PATH`, and its arguments.
    ///   - folder: the folder in which it runs.
    ///   - environment: all of its variables, each as `NAME=VALUE`. Nil: those of this process.
    ///   - keepsErrors: whether standard error is part of its output. Otherwise standard error is dropped.
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

    /// Reads what has arrived. Waits only if nothing has.
    ///
    /// - Parameter most: the maximum size of `bytes`. Further output is read and dropped.
    /// - Returns: whether the end of the output was reached.
    package func receive(into bytes: inout [UInt8], upTo most: Int) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        let count = read(output, &chunk, chunk.count)
        if count < 0 && errno == EINTR { return false }
        if count <= 0 { return true }
        bytes += chunk[..<min(count, most - bytes.count)]
        return false
    }

    /// Sends the signal to the program and to everything in its process group.
    package func signal(_ number: Int32) { kill(-process, number) }

    /// Stops the programs and this process, and continues the programs when this process continues. Called when this
    /// process, which blocks `SIGTSTP`, was asked to stop (Ctrl-Z). The terminal does not stop the programs, because
    /// they have process groups of their own.
    ///
    /// - Returns: how long this process was stopped.
    package static func stop(_ programs: [StartedProgram]) -> Duration {
        let start = ContinuousClock.now
        for program in programs { program.signal(SIGSTOP) }
        var set = sigset_t()
        var before = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTSTP)
        kill(getpid(), SIGTSTP)
        // The process stops here, if a shell can continue it.
        pthread_sigmask(SIG_UNBLOCK, &set, &before)
        pthread_sigmask(SIG_SETMASK, &before, nil)
        for program in programs { program.signal(SIGCONT) }
        return ContinuousClock.now - start
    }

    /// Reads what has arrived, without waiting.
    ///
    /// - Returns: whether the program has ended. What it has started may still keep its output open.
    package func receiveAll(into bytes: inout [UInt8], upTo most: Int) -> Bool {
        // Asked before reading: if the program has ended by now, all that it printed has arrived.
        let isOver = hasEnded
        // Bounded, so that endless output does not keep the caller from other work.
        for _ in 0..<64 {
            var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&wanted, 1, 0) > 0 else { return isOver }
            if receive(into: &bytes, upTo: most) {
                // The program may have closed its output without ending. Waits 10 ms then, because the end of the
                // output can be read at once, and the caller would ask without pause.
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

    /// Waits for the program's end, and kills what is left in its process group. Call it once; nothing can be read
    /// afterwards.
    package func wait() -> ProgramEnd {
        close(output)
        // The process group keeps its number until the program has been waited for.
        var info = siginfo_t()
        while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        signal(SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return status & 0x7f == 0 ? .exit(status >> 8 & 0xff) : .signal(status & 0x7f)
    }
}

/// An external program could not be started.
package struct ProgramNotStarted: Error, CustomStringConvertible {
    /// The system's error number: `ENOENT` if the program, or the folder to run it in, does not exist.
    package let number: Int32

    package var reason: String { String(cString: strerror(number)) }
    package var description: String { reason }
}

/// How an external program ended.
package enum ProgramEnd: Equatable, Sendable {
    case exit(Int32)
    case signal(Int32)
    /// It was ended because it took too long.
    case tooLong

    /// The exit code by which a shell reports the end.
    package var code: Int32 {
        switch self {
        case .exit(let code): code
        case .signal(let number): 128 + number
        case .tooLong: 128 + SIGTERM
        }
    }

    /// Completes the sentence "the program …".
    package var words: String {
        switch self {
        case .exit(let code): "ended with \(code)"
        case .signal(let number): "was ended by signal \(number)"
        case .tooLong: "was ended because it took too long"
        }
    }
}
