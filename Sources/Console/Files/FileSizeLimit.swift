import Glibc

/// What happens to a write beyond the limit of `ulimit -f`. By default, SIGXFSZ ends the process. If the signal is
/// ignored, the write fails with an error, which a command can report.
package enum FileSizeLimit {
    /// Ignores the signal.
    package static func makeError() { signal(SIGXFSZ, SIG_IGN) }

    /// Restores the default. Called before the process executes another program, which would inherit the ignored
    /// signal.
    package static func restore() { signal(SIGXFSZ, SIG_DFL) }
}
