import Glibc

/// The limit of `ulimit -f`. A write beyond it fails with an error, which is reported. By default, a signal would end
/// the process.
package enum FileSizeLimit {
    package static func makeError() { signal(SIGXFSZ, SIG_IGN) }

    /// Restores the default before another program takes the process's place: that program would inherit the ignored
    /// signal.
    package static func restore() { signal(SIGXFSZ, SIG_DFL) }
}
