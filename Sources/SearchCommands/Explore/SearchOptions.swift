import Arguments
import Authoring
import Console
import Exploration
import Machine
import Supervision
import Text

/// The options that control how to search, and for how long.
struct SearchOptions: OptionGroup {
    let strategy: Listed<StrategyChoice?>
    let memory: Listed<Int>
    let allStates, depthFirst, hashCompaction: Listed<Bool>
    let depth: Listed<Int>
    let preemptions, delays, executions: Listed<Int?>
    let time, stepTime, seed: Listed<UInt64>
    let jobs: Listed<Int?>

    init(_ list: inout OptionList) {
        executions = list.integer(
            "runs", in: 1...Int.max,
            "Maximum number of executions, by default 10000 for a random strategy without --time")
        time = list.duration(
            "time", in: 1_000_000...86_400_000_000_000, default: DurationText.write(UsualTime.search),
            "Time limit for the search")
        jobs = list.integer(
            "jobs", in: 1...256, "Number of search processes, by default one per processor")
        seed = list.seed("seed", default: 1, "Seed of the random strategies")
        memory = list.integer(
            "memory", in: 16...1_000_000, default: 2048, placeholder: "MIB",
            "Maximum memory of the strategy 'states', in mebibytes")
        list.head("Research: one strategy, and its limits")
        strategy = list.choice(
            "strategy", KnownWord("auto", "dpor and states, alternating with random strategies"),
            or: StrategyChoice.allCases.map { (value: $0, help: $0.summary) }, placeholder: "STRATEGY",
            "Search strategy")
        depth = list.integer(
            "depth", in: 1...100, default: 3, placeholder: "D", "Bug depth to target with PCT; implies --strategy pct")
        preemptions = list.integer(
            "preemptions", in: 0...1000, placeholder: "K",
            "Maximum preemptions per execution; implies --strategy preempt")
        delays = list.integer(
            "delays", in: 0...1000, placeholder: "K", "Maximum delays per execution; implies --strategy delay")
        allStates = list.flag(
            "all-states",
            "Visit every state, without leaving out orders that make no difference; implies --strategy states"
        )
        depthFirst = list.flag(
            "depth-first", "Follow the newest state first, not the oldest; implies --strategy states")
        hashCompaction = list.flag(
            "hash-compaction", "Compare states by hash: a third of the memory, and no proof; implies --strategy states")
        stepTime = list.duration(
            "step-time", in: 10_000_000...3_600_000_000_000, default: DurationText.write(UsualTime.step),
            "Time limit for the computation between two steps of an execution")
        list.exclude([
            [depth, preemptions, delays, allStates], [depth, preemptions, delays, depthFirst],
            [depth, preemptions, delays, hashCompaction], [depthFirst, hashCompaction],
        ])
    }

    /// Options that belong to one strategy, and so choose it.
    fileprivate var bounds: [(option: any OptionName, strategy: StrategyChoice)] {
        [
            (depth, .pct), (preemptions, .preempt), (delays, .delay), (allStates, .states), (depthFirst, .states),
            (hashCompaction, .states),
        ]
    }
}

extension TypedArguments<SearchOptions> {
    /// The plan of the search that the options ask for. Throws if the strategy cannot search this scenario.
    func plan(_ scenario: any Runnable, rules: Rules) throws(Complaint) -> SearchPlan {
        var plan = SearchPlan(scenario)
        plan.strategy = try chosenStrategy()
        if plan.strategy == .states && !scenario.hasStates {
            throw Complaint(
                "\(options.strategy.spelling) states searches programs in .lab files: the state of \(scenario.ownCode) "
                    + "cannot be saved; dpor searches all programs")
        }
        plan.rules = rules
        try refuse(plan.strategy, under: rules)
        if plan.strategy == .graphs, let part = scenario.partWithoutGraph {
            throw Complaint(
                "\(options.strategy.spelling) graphs cannot search \(part.printable); without --strategy, executions are tried "
                    + "one by one and at random")
        }
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
        // Without a fixed number of executions, the time would decide how far a random search gets, and two searches
        // would differ.
        let isRandom = plan.strategy?.isRandom == true && !isGiven(\.time)
        plan.executions = self.executions ?? (isRandom ? 10_000 : Int.max)
        return plan
    }

    /// Throws if the strategy cannot follow the memory model.
    private func refuse(_ strategy: StrategyChoice?, under rules: Rules) throws(Complaint) {
        guard let strategy, !strategy.follows(rules.followedModel) else { return }
        let option = options.strategy.spelling
        if strategy == .states {
            throw Complaint(
                "\(option) states searches under --model sc: under \(rules.model.rawValue) an execution is a graph that grows "
                    + "with each step, so no state comes twice; graphs searches each execution once")
        }
        if rules.followedModel != .sc {
            throw Complaint(
                "\(option) \(strategy.rawValue) searches under --model sc: graphs does the same under "
                    + "\(rules.model.rawValue), and the random strategies go with each")
        }
        throw Complaint(
            rules.model == .sc
                ? "\(option) graphs searches under --model tso and rc11: under sc, dpor does the same"
                : "\(option) graphs searches programs with orders weaker than seqcst: of this one, dpor searches all "
                    + "executions under \(rules.model.rawValue)")
    }

    /// The strategy that `--strategy` names, or an option that belongs to it. Nil: the user has chosen none.
    func chosenStrategy() throws(Complaint) -> StrategyChoice? {
        let given = given.map(\.name)
        guard let (bound, owner) = options.bounds.first(where: { given.contains($0.option.name) }) else {
            return self.strategy
        }
        if isGiven(\.strategy) && self.strategy != owner {
            throw Complaint("\(bound.spelling) requires '\(options.strategy.spelling) \(owner.rawValue)'")
        }
        return owner
    }
}
