import Arguments
import Glibc

/// Swift's sets and dictionaries have another order in each process, unless an environment variable is there when it starts. What
/// is to be repeated in another process must not depend on that.
enum FixedHashing {
    private static let variable = "SWIFT_DETERMINISTIC_HASHING"

    /// Starts the program again, in its own place, if these words ask for controlled runs and its hashes are not fixed yet.
    static func ensure(for words: [String]) {
        guard asksForControlledRuns(words), getenv(variable) == nil, setenv(variable, "1", 1) == 0 else { return }
        var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
        execv("/proc/self/exe", &arguments)
        // It goes on with hashes of its own: most scenarios do not care.
        for argument in arguments { free(argument) }
    }

    /// Before the words are parsed: a file that they name would be read, and complained of, twice.
    private static func asksForControlledRuns(_ words: [String]) -> Bool {
        let decisive: [any OptionDeclaration] = [RunAction.controlled, RunAction.seed, RunAction.schedule]
        if words.first == RunAction.command.name {
            return words.contains { word in
                decisive.contains { word == $0.spelling || word.hasPrefix($0.spelling + "=") }
            }
        }
        let always = [ExploreAction.command, ReplayAction.command, CheckAction.command]
        return always.contains { $0.name == words.first }
    }
}
