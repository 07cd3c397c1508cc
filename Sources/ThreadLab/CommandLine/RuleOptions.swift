import Arguments
import Machine
import Supervision
import Trace

/// The options that say what may happen in a controlled run. A schedule means the same under the same rules only.
enum RuleOptions {
    static let options: [Option] = [
        .integer(
            "max-steps", in: 1...10_000_000, default: RunPlan.defaultMaximumSteps,
            "Give a controlled run up after so many steps"),
        .integer(
            "spurious", in: 0...Rules.mostSpuriousWakeups, default: 0,
            "So many waits of a controlled run may end without a signal"),
        .choice(
            "timeouts",
            [
                Word("lazy", "when nothing else can happen: processors are infinitely fast"),
                Word("any", "at any moment: processors are as slow as they like"),
            ], default: "lazy", placeholder: "WHEN", "When waits of a controlled run may time out"),
        .choice(
            "waiters", [Word("any", "any of them, as in POSIX"), Word("fifo", "the one that came first")],
            default: "any", placeholder: "WHICH", "Which waiter a signal wakes in a controlled run"),
    ]

    static func rules(_ arguments: ParsedArguments) -> Rules {
        var rules = Rules(maximumSteps: arguments.integer("max-steps")!)
        rules.spuriousWakeups = arguments.integer("spurious")!
        rules.timeouts = Rules.Timeouts(rawValue: arguments.text("timeouts")!)!
        rules.waiters = Rules.Waiters(rawValue: arguments.text("waiters")!)!
        return rules
    }

    /// The rules that a saved trace was made under.
    static func rules(_ arguments: ParsedArguments, of saved: TraceHeader) throws(Complaint) -> Rules {
        var rules = Rules(maximumSteps: arguments.integer("max-steps")!)
        for rule in saved.rules {
            guard rules.change(rule.name, to: rule.value) else {
                throw Complaint("the saved trace has a rule '\(rule.name)=\(rule.value)' that is not known".printable)
            }
        }
        return rules
    }
}
