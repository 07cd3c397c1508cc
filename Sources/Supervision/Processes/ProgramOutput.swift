import Glibc

/// The output of an external program, and how the program ended.
package struct ProgramOutput: Sendable {
    /// The maximum size of the output that is kept, and the maximum time.
    package struct Limits: Sendable {
        let bytes: Int
        let time: Duration

        package init(bytes: Int, time: Duration) {
            self.bytes = bytes
            self.time = time
        }
    }

    /// The output, including standard error, or its beginning if it exceeds the limit.
    package let text: String
    package let end: ProgramEnd

    /// The time that the program has to end after it was asked to.
    private static let grace = Duration.seconds(5)

    package init(text: String, end: ProgramEnd) {
        self.text = text
        self.end = end
    }

    /// Runs a program to its end, without a terminal and without input.
    ///
    /// - Parameters:
    ///   - words: the program, as a path or a name to look for in `PATH`, and its arguments.
    ///   - folder: the folder in which it runs.
    ///   - environment: all of its variables, each as `NAME=VALUE`. Nil: those of this process.
    /// - Throws: `ProgramNotStarted`.
    package init(of words: [String], in folder: String, environment: [String]?, _ limits: Limits)
        throws(ProgramNotStarted)
    {
        // The program has a process group of its own, so a signal that ends this process would not end it.
        let signals = BlockedSignals([SIGINT, SIGTERM, SIGHUP, SIGTSTP])
        defer { signals.restore() }
        let program = try StartedProgram(words, in: folder, environment: environment, keepsErrors: true)
        var bytes: [UInt8] = []
        var asked: Int32?
        let hasEnded = Self.read(program, into: &bytes, limits.bytes, for: limits.time) {
            let signal = signals.wait(nanoseconds: 0)
            if signal == SIGTSTP { return .stopped(StartedProgram.stop([program])) }
            asked = signal
            return asked == nil ? .continues : .ends
        }
        if !hasEnded {
            program.signal(SIGTERM)
            if !Self.read(program, into: &bytes, limits.bytes, for: Self.grace) { program.signal(SIGKILL) }
        }
        let end = program.wait()
        // Repeats the signal, which arrives when signals are no longer blocked.
        if let asked { kill(getpid(), asked) }
        self.init(text: String(decoding: bytes, as: UTF8.self), end: hasEnded ? end : .tooLong)
    }

    /// Whether to continue reading. `stopped`: yes, and this process was stopped for that time, which does not count.
    private enum Look {
        case continues, ends
        case stopped(Duration)
    }

    /// Reads to the end of the output.
    ///
    /// - Parameter look: asked several times a second.
    /// - Returns: whether the end was reached in time.
    private static func read(
        _ program: StartedProgram, into bytes: inout [UInt8], _ most: Int, for time: Duration,
        look: () -> Look = { .continues }
    ) -> Bool {
        var end = ContinuousClock.now + time
        while true {
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { return false }
            switch look() {
            case .continues: break
            case .ends: return false
            case .stopped(let pause): end += pause
            }
            var wanted = pollfd(fd: program.output, events: Int16(POLLIN), revents: 0)
            // Waits at most 100 ms, because the output may remain open after the program's end, in a process that the
            // program has started. The end is then only noticed by looking again. Near the time limit, waits are short.
            poll(&wanted, 1, left > .milliseconds(100) ? 100 : 10)
            if program.receiveAll(into: &bytes, upTo: most) { return true }
        }
    }
}
