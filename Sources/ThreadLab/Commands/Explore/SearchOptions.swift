import Arguments
import Exploration
import Glibc
import Scenarios
import Supervision

/// The options that say how to search, and for how long.
enum SearchOptions {
    /// Options of which each belongs to one strategy.
    static let bounds = ["depth", "preemptions", "delays"]

    static let options: [Option] = [
        .choice(
            "strategy",
            [Word("auto", "dpor, and random ones in turn with it")]
                + StrategyChoice.allCases.map { Word($0.rawValue, $0.summary) },
            default: "auto", placeholder: "STRATEGY", "How to search"),
        .integer("depth", in: 1...100, default: 3, placeholder: "D", "Of the bugs that 'pct' is set on; implies it"),
        .integer("preemptions", in: 0...1000, placeholder: "K", "As many as 'preempt' tries at most; implies it"),
        .integer("delays", in: 0...1000, placeholder: "K", "As many as 'delay' tries at most; implies it"),
        .integer("executions", in: 1...Int.max, "Stop after so many; a random strategy without --time, after 10000"),
        .duration("time", in: 1_000_000...86_400_000_000_000, default: "10s", "Stop after so long"),
        .duration(
            "step-time", in: 10_000_000...3_600_000_000_000, default: "1s",
            "Give up an execution that computes for so long, and comes to no other step"),
        .seed("seed", default: 1, "The seed of random strategies"),
        .integer("jobs", in: 1...256, "How many processes search; as many as there are processors"),
    ]

    static func plan(_ scenario: any Runnable, _ arguments: ParsedArguments) throws(Complaint) -> SearchPlan {
        var plan = SearchPlan(scenario)
        plan.strategy = try strategy(arguments)
        plan.rules = RuleOptions.rules(arguments)
        plan.settings.seed = arguments.seed("seed")!
        plan.settings.depth = arguments.integer("depth")!
        plan.settings.bound = arguments.integer("preemptions") ?? arguments.integer("delays")
        plan.time = arguments.duration("time")!
        plan.stepTime = arguments.duration("step-time")!
        plan.jobs = arguments.integer("jobs") ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        // Else the time would decide how far it comes, and two searches would differ.
        let isRandom = plan.strategy?.isRandom == true && !arguments.isGiven("time")
        plan.executions = arguments.integer("executions") ?? (isRandom ? 10_000 : Int.max)
        plan.goal.countsSpurious = plan.rules.spuriousWakeups > 0
        return plan
    }

    private static func strategy(_ arguments: ParsedArguments) throws(Complaint) -> StrategyChoice? {
        let given = StrategyChoice(rawValue: arguments.text("strategy")!)
        guard let bound = bounds.first(where: { arguments.isGiven($0) }) else { return given }
        let owner: StrategyChoice = bound == "depth" ? .pct : bound == "delays" ? .delay : .preempt
        if arguments.isGiven("strategy") && given != owner {
            throw Complaint("--\(bound) is for '--strategy \(owner.rawValue)'")
        }
        return owner
    }
}
