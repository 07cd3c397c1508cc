import Glibc

/// The three streams that every process is given.
enum StandardStreams {
    /// Occupies the descriptors of streams that were closed when the process started: otherwise a pipe or file that is
    /// opened later would get the descriptor, and receive the report.
    static func ensureOpen() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            // Writing still fails, as it does to a closed stream. The lowest free descriptor is this one.
            _ = open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
