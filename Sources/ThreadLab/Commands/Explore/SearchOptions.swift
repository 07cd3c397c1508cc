import Arguments
import Authoring
import Exploration
import Machine
import Supervision

/// The options that control how to search, and for how long.
struct SearchOptions: OptionGroup {
    let strategy = TypedOption.choice(
        "strategy", KnownWord("auto", "dpor and states, alternating with random strategies"),
        or: StrategyChoice.allCases.map { (value: $0, help: $0.summary) }, placeholder: "STRATEGY", "Search strategy")
    let memory = TypedOption.integer(
        "memory", in: 16...1_000_000, default: 2048, placeholder: "MIB",
        "Maximum memory of the strategy 'states', in mebibytes")
    let allStates = TypedOption.flag(
        "all-states", "Visit every state, without leaving out orders that make no difference; implies --strategy states"
    )
    let depthFirst = TypedOption.flag(
        "depth-first", "Follow the newest state first, not the oldest; implies --strategy states")
    let hashCompaction = TypedOption.flag(
        "hash-compaction", "Compare states by hash: a third of the memory, and no proof; implies --strategy states")
    let depth = TypedOption.integer(
        "depth", in: 1...100, default: 3, placeholder: "D", "Bug depth to target with PCT; implies --strategy pct")
    let preemptions = TypedOption.integer(
        "preemptions", in: 0...1000, placeholder: "K", "Maximum preemptions per execution; implies --strategy preempt")
    let delays = TypedOption.integer(
        "delays", in: 0...1000, placeholder: "K", "Maximum delays per execution; implies --strategy delay")
    let executions = TypedOption.integer(
        "executions", in: 1...Int.max,
        "Maximum number of executions, by default 10000 for a random strategy without --time")
    let time = TypedOption.duration(
        "time", in: 1_000_000...86_400_000_000_000, default: "10s", "Time limit for the search")
    let stepTime = TypedOption.duration(
        "step-time", in: 10_000_000...3_600_000_000_000, default: "1s",
        "Time limit for the computation between two steps of an execution")
    let seed = TypedOption.seed("seed", default: 1, "Seed of the random strategies")
    let jobs = TypedOption.integer(
        "jobs", in: 1...256, "Number of search processes, by default one per processor")

    /// Options that belong to a single strategy.
    fileprivate var bounds: [(option: any OptionDeclaration, strategy: StrategyChoice)] {
        [
            (depth, .pct), (preemptions, .preempt), (delays, .delay), (allStates, .states), (depthFirst, .states),
            (hashCompaction, .states),
        ]
    }

    var exclusive: [[any OptionDeclaration]] {
        [
            [depth, preemptions, delays, allStates], [depth, preemptions, delays, depthFirst],
            [depth, preemptions, delays, hashCompaction], [depthFirst, hashCompaction],
        ]
    }
}

extension TypedArguments<SearchOptions> {
    func plan(_ scenario: any Runnable, rules: Rules) throws(Complaint) -> SearchPlan {
        var plan = SearchPlan(scenario)
        plan.strategy = try chosenStrategy()
        if plan.strategy == .states && !scenario.hasStates {
            throw Complaint(
                "\(options.strategy.spelling) states searches programs in .lab files: the state of Swift code cannot be saved; "
                    + "dpor searches all scenarios")
        }
        plan.rules = rules
        plan.settings.states.memory = self.memory << 20
        plan.settings.states.isReduced = !self.allStates
        plan.settings.states.exchanges = !self.allStates
        plan.settings.states.isDepthFirst = self.depthFirst
        plan.settings.states.isCompacted = self.hashCompaction
        plan.settings.seed = self.seed
        plan.settings.depth = self.depth
        plan.settings.bound = self.preemptions ?? self.delays
        plan.time = self.time
        plan.stepTime = self.stepTime
        plan.jobs = self.jobs ?? Processors.count
        // Otherwise the time would decide how far the search gets, and two searches would differ.
        let isRandom = plan.strategy?.isRandom == true && !isGiven(\.time)
        plan.executions = self.executions ?? (isRandom ? 10_000 : Int.max)
        plan.goal.countsSpurious = plan.rules.spuriousWakeups > 0
        return plan
    }

    private func chosenStrategy() throws(Complaint) -> StrategyChoice? {
        let given = given
        guard let (bound, owner) = options.bounds.first(where: { given.contains($0.option.option) }) else {
            return self.strategy
        }
        if isGiven(\.strategy) && self.strategy != owner {
            throw Complaint("\(bound.spelling) requires '\(options.strategy.spelling) \(owner.rawValue)'")
        }
        return owner
    }
}
