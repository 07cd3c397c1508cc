import Arguments
import Glibc

/// Swift's sets and dictionaries have a different order in each process, unless an environment variable is set when the
/// process starts. Runs that must be repeatable in another process cannot depend on that order.
enum FixedHashing {
    private static let variable = "SWIFT_DETERMINISTIC_HASHING"

    /// Restarts the program in place if these arguments ask for controlled runs and its hashing is not fixed yet.
    static func ensure(for words: [String]) {
        guard asksForControlledRuns(words), getenv(variable) == nil, setenv(variable, "1", 1) == 0 else { return }
        var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
        execv("/proc/self/exe", &arguments)
        // If that fails, the program continues with random hashing: most scenarios do not depend on it.
        for argument in arguments { free(argument) }
    }

    /// This happens before the arguments are parsed: otherwise a file that they name would be read, and its errors
    /// reported, twice.
    private static func asksForControlledRuns(_ words: [String]) -> Bool {
        let decisive: [any OptionDeclaration] =
            [RunAction.controlled, RunAction.seed, RunAction.schedule] + RuleOptions.options
        if words.first == RunAction.command.name {
            return words.contains { word in
                decisive.contains { word == $0.spelling || word.hasPrefix($0.spelling + "=") }
            }
        }
        let always = [ExploreAction.command, ReplayAction.command, CheckAction.command]
        return always.contains { $0.name == words.first }
    }
}
