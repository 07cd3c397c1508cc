import Glibc

/// Swift's sets and dictionaries have another order in each process, unless an environment variable is there when it starts. What
/// is to be repeated in another process must not depend on that.
enum FixedHashing {
    private static let variable = "SWIFT_DETERMINISTIC_HASHING"

    /// Starts the program again, in its own place, if its hashes are not fixed yet.
    static func ensure() {
        guard getenv(variable) == nil, setenv(variable, "1", 1) == 0 else { return }
        var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
        execv("/proc/self/exe", &arguments)
        // It goes on with hashes of its own: most scenarios do not care.
        for argument in arguments { free(argument) }
    }
}
