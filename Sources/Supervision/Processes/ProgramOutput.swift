import Glibc

/// What a program of the system prints, and how it ends.
package struct ProgramOutput: Sendable {
    /// How much of it is kept, and how long it may take.
    package struct Limits: Sendable {
        let bytes: Int
        let time: Duration

        package init(bytes: Int, time: Duration) {
            self.bytes = bytes
            self.time = time
        }
    }

    /// Its beginning, if there is more than the limit. What it prints to standard error is part of it.
    package let text: String
    package let end: ProgramEnd

    /// The time to end in an orderly way.
    private static let grace = Duration.seconds(5)

    package init(text: String, end: ProgramEnd) {
        self.text = text
        self.end = end
    }

    /// Runs a program to its end, without a terminal and without input.
    ///
    /// - Parameters:
    ///   - words: the program, as a path or a name to look for in `PATH`, and its arguments.
    ///   - folder: where it runs.
    ///   - environment: all of its variables, each as `NAME=VALUE`. Nil: those of this process.
    /// - Throws: `ProgramNotStarted`.
    package init(of words: [String], in folder: String, environment: [String]?, _ limits: Limits)
        throws(ProgramNotStarted)
    {
        // It is in a group of processes of its own, so what ends this process would leave it behind.
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
        // It arrives when signals are no longer blocked.
        if let asked { kill(getpid(), asked) }
        self.init(text: String(decoding: bytes, as: UTF8.self), end: hasEnded ? end : .tooLong)
    }

    /// Whether to read on; and how long this process was stopped meanwhile.
    private enum Look {
        case continues, ends
        case stopped(Duration)
    }

    /// Reads to the end of the output.
    ///
    /// - Parameter look: asked some times a second.
    /// - Returns: whether it was reached in this time.
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
            case .stopped(let time): end += time
            }
            var wanted = pollfd(fd: program.output, events: Int16(POLLIN), revents: 0)
            // A second at most, so that the number fits.
            // What it has started may keep its output open: then only a look tells that it has ended.
            poll(&wanted, 1, left > .milliseconds(100) ? 100 : 10)
            if program.receiveAll(into: &bytes, upTo: most) { return true }
        }
    }
}
