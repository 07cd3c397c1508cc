import Arguments
import Machine
import Supervision
import Text
import Trace

/// The options that control what may happen in a controlled run. A schedule has the same meaning only under the same
/// rules.
struct RuleOptions: OptionGroup {
    let maximumSteps = TypedOption.integer(
        "max-steps", in: 1...10_000_000, default: RunPlan.defaultMaximumSteps,
        "Maximum steps of a controlled run")
    let saved = SavedRuleOptions()
}

/// The options whose values a saved trace contains.
struct SavedRuleOptions: OptionGroup {
    let spurious = TypedOption.integer(
        "spurious", in: 0...Rules.mostSpuriousWakeups, default: 0,
        "Maximum spurious wake-ups in a controlled run")
    let timeouts = TypedOption.choice(
        "timeouts",
        [
            (
                Rules.Timeouts.lazy,
                "only when every thread is blocked or repeats itself, as if processors were infinitely fast"
            ),
            (.any, "at any moment, as if processors were arbitrarily slow"),
        ], default: .lazy, placeholder: "WHEN", "When waits may time out in a controlled run")
    let waiters = TypedOption.choice(
        "waiters", [(Rules.Waiters.any, "any of them, as in POSIX"), (.fifo, "the one that has waited longest")],
        default: .any, placeholder: "WHICH", "Which waiter a signal wakes in a controlled run")
    let fairness = TypedOption.choice(
        "fairness",
        [
            (Rules.Fairness.strong, "a thread that can step again and again does: locks are fair"),
            (.weak, "a thread that can step all the time does at some time"),
        ], default: .strong, placeholder: "KIND", "Which cycles a controlled run can follow forever")
}

extension TypedArguments<RuleOptions> {
    var rules: Rules {
        var rules = Rules(maximumSteps: self.maximumSteps)
        rules.spuriousWakeups = self.saved.spurious
        rules.timeouts = self.saved.timeouts
        rules.waiters = self.saved.waiters
        rules.fairness = self.saved.fairness
        return rules
    }

    /// The rules under which a saved trace was made.
    func rules(of saved: TraceHeader) throws(Complaint) -> Rules {
        var rules = Rules(maximumSteps: self.maximumSteps)
        for rule in saved.rules {
            guard rules.change(rule.name, to: rule.value) else {
                throw Complaint("the saved trace has an unknown rule '\(rule.name)=\(rule.value)'".printable)
            }
        }
        return rules
    }
}
