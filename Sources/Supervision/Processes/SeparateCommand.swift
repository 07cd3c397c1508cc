import Glibc

/// Runs a command of threadlab in a forked process, so that it leaves nothing in this one. `check --watch` repeats a
/// check in this way each time a file has changed.
package enum SeparateCommand {
    private static let handledSignals = [SIGCHLD, SIGINT, SIGTERM, SIGHUP]
    /// The time between two looks at the process, in nanoseconds, in case no signal reports its end.
    private static let period = 100_000_000

    /// Runs the command, and waits for its end. Must be called while the process has one thread.
    ///
    /// - Parameter command: returns its exit code.
    /// - Returns: the exit code; if a signal ended the process, 128 plus its number.
    package static func run(_ command: () -> Int32) throws(SupervisionFailed) -> Int32 {
        let signals = BlockedSignals(handledSignals)
        defer { signals.restore() }
        let child = try ForkedProcess.fork(for: "the command") {
            signals.restore()
            let code = command()
            fflush(nil)
            _exit(code)
        }
        while true {
            let signal = signals.wait(nanoseconds: period)
            switch ProcessEnding(of: child) {
            case .exited(let code): return code
            case .died(let signal): return 128 + signal
            case .deadlock, .timeout, .stepLimit, .interrupted, nil: break
            }
            // Passes the signal on. The command then reports its results so far, and ends.
            if let signal, signal != SIGCHLD { kill(child, signal) }
        }
    }
}
