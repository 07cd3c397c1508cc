import Console
import Glibc
import Scenarios

/// Makes the order of sets and dictionaries the same in all processes. Swift makes it random, unless an environment
/// variable is set when a process starts. threadlab and its own scenarios do not depend on the order, but a scenario of
/// another package may, and its schedules must be repeatable in another process.
enum FixedHashing {
    private static let variable = "SWIFT_DETERMINISTIC_HASHING"

    /// Restarts the program in place if one of its scenarios is not built in, and its hashing is not fixed yet.
    static func ensure(for scenarios: [any Scenario.Type]) {
        let isOwn = { (scenario: any Scenario.Type) in !Catalogue.builtIn.contains { $0 == scenario } }
        guard scenarios.contains(where: isOwn), getenv(variable) == nil, setenv(variable, "1", 1) == 0 else { return }
        var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
        execv("/proc/self/exe", &arguments)
        // If that fails, the program continues with random hashing: most scenarios do not depend on it.
        for argument in arguments { free(argument) }
    }
}

/// Standard input, output and error.
enum StandardStreams {
    /// Occupies the descriptors of streams that were closed when the process started: otherwise a pipe or file that is
    /// opened later would get the descriptor, and receive the report.
    static func ensureOpen() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free descriptor is this one, because those below it are open. The null device is opened such
            // that writing to standard output fails, as it does if the stream is closed.
            _ = open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
