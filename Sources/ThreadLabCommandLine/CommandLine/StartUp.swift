import Console
import Glibc
import Scenarios

/// Swift's sets and dictionaries have a different order in each process, unless an environment variable is set when the
/// process starts. Nothing that threadlab does depends on that order, nor do its own scenarios. Those of another
/// package may, and must be repeatable in another process all the same.
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
