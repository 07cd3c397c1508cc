import Arguments
import Machine
import Supervision
import Text
import Trace

/// The options that say what may happen in a controlled run. A schedule means the same under the same rules only.
enum RuleOptions {
    private static let maximumSteps = TypedOption.integer(
        "max-steps", in: 1...10_000_000, default: RunPlan.defaultMaximumSteps,
        "Give a controlled run up after so many steps")
    private static let spurious = TypedOption.integer(
        "spurious", in: 0...Rules.mostSpuriousWakeups, default: 0,
        "So many waits of a controlled run may end without a signal")
    private static let timeouts = TypedOption.choice(
        "timeouts",
        [
            (Rules.Timeouts.lazy, "when nothing else can happen: processors are infinitely fast"),
            (.any, "at any moment: processors are as slow as they like"),
        ], default: .lazy, placeholder: "WHEN", "When waits of a controlled run may time out")
    private static let waiters = TypedOption.choice(
        "waiters", [(Rules.Waiters.any, "any of them, as in POSIX"), (.fifo, "the one that came first")],
        default: .any, placeholder: "WHICH", "Which waiter a signal wakes in a controlled run")

    static let options: [any OptionDeclaration] = [maximumSteps] + saved

    /// Those that a saved trace has in it.
    static let saved: [any OptionDeclaration] = [spurious, timeouts, waiters]

    /// Whether one was given: then the run is to be a controlled one.
    static func areGiven(_ arguments: ParsedArguments) -> Bool { options.contains { arguments.isGiven($0) } }

    static func rules(_ arguments: ParsedArguments) -> Rules {
        var rules = Rules(maximumSteps: arguments[maximumSteps])
        rules.spuriousWakeups = arguments[spurious]
        rules.timeouts = arguments[timeouts]
        rules.waiters = arguments[waiters]
        return rules
    }

    /// The rules that a saved trace was made under.
    static func rules(_ arguments: ParsedArguments, of saved: TraceHeader) throws(Complaint) -> Rules {
        var rules = Rules(maximumSteps: arguments[maximumSteps])
        for rule in saved.rules {
            guard rules.change(rule.name, to: rule.value) else {
                throw Complaint("the saved trace has a rule '\(rule.name)=\(rule.value)' that is not known".printable)
            }
        }
        return rules
    }
}
