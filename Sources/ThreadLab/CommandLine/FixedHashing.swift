import Glibc
import Scenarios

/// Swift's sets and dictionaries have a different order in each process, unless an environment variable is set when the
/// process starts. Nothing that threadlab does depends on that order, nor do its own scenarios. Those of another package may,
/// and must be repeatable in another process all the same.
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
