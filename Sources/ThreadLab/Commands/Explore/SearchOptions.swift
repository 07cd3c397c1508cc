import Arguments
import Authoring
import Exploration
import Supervision

/// The options that control how to search, and for how long.
enum SearchOptions {
    private static let strategy = TypedOption.choice(
        "strategy", KnownWord("auto", "dpor and states, alternating with random strategies"),
        or: StrategyChoice.allCases.map { (value: $0, help: $0.summary) }, placeholder: "STRATEGY", "Search strategy")
    private static let depth = TypedOption.integer(
        "depth", in: 1...100, default: 3, placeholder: "D", "Bug depth to target with PCT; implies --strategy pct")
    private static let preemptions = TypedOption.integer(
        "preemptions", in: 0...1000, placeholder: "K", "Maximum preemptions per execution; implies --strategy preempt")
    private static let delays = TypedOption.integer(
        "delays", in: 0...1000, placeholder: "K", "Maximum delays per execution; implies --strategy delay")
    private static let memory = TypedOption.integer(
        "memory", in: 16...1_000_000, default: 2048, placeholder: "MIB",
        "Maximum memory of the strategy 'states', in mebibytes")
    private static let allStates = TypedOption.flag(
        "all-states", "Visit every state, without leaving out orders that make no difference; implies --strategy states"
    )
    private static let depthFirst = TypedOption.flag(
        "depth-first", "Follow the newest state first, not the oldest; implies --strategy states")
    private static let hashCompaction = TypedOption.flag(
        "hash-compaction", "Compare states by hash: a third of the memory, and no proof; implies --strategy states")
    private static let executions = TypedOption.integer(
        "executions", in: 1...Int.max,
        "Maximum number of executions, by default 10000 for a random strategy without --time")
    private static let time = TypedOption.duration(
        "time", in: 1_000_000...86_400_000_000_000, default: "10s", "Time limit for the search")
    private static let stepTime = TypedOption.duration(
        "step-time", in: 10_000_000...3_600_000_000_000, default: "1s",
        "Time limit for the computation between two steps of an execution")
    private static let seed = TypedOption.seed("seed", default: 1, "Seed of the random strategies")
    private static let jobs = TypedOption.integer(
        "jobs", in: 1...256, "Number of search processes, by default one per processor")

    static let options: [any OptionDeclaration] = [
        strategy, memory, allStates, depthFirst, hashCompaction, depth, preemptions, delays, executions, time, stepTime,
        seed, jobs,
    ]

    /// Options that belong to a single strategy.
    static let bounds: [(option: any OptionDeclaration, strategy: StrategyChoice)] = [
        (depth, .pct), (preemptions, .preempt), (delays, .delay), (allStates, .states), (depthFirst, .states),
        (hashCompaction, .states),
    ]

    /// Options that exclude each other.
    static let exclusive: [[any OptionDeclaration]] = [
        [depth, preemptions, delays, allStates], [depth, preemptions, delays, depthFirst],
        [depth, preemptions, delays, hashCompaction], [depthFirst, hashCompaction],
    ]

    static func plan(_ scenario: any Runnable, _ arguments: ParsedArguments) throws(Complaint) -> SearchPlan {
        var plan = SearchPlan(scenario)
        plan.strategy = try strategy(arguments)
        if plan.strategy == .states && !scenario.hasStates {
            throw Complaint(
                "\(strategy.spelling) states searches programs in .lab files: the state of Swift code cannot be saved; "
                    + "dpor searches all scenarios")
        }
        plan.rules = RuleOptions.rules(arguments)
        plan.settings.states.memory = arguments[memory] << 20
        plan.settings.states.isReduced = !arguments[allStates]
        plan.settings.states.exchanges = !arguments[allStates]
        plan.settings.states.isDepthFirst = arguments[depthFirst]
        plan.settings.states.isCompacted = arguments[hashCompaction]
        plan.settings.seed = arguments[seed]
        plan.settings.depth = arguments[depth]
        plan.settings.bound = arguments[preemptions] ?? arguments[delays]
        plan.time = arguments[time]
        plan.stepTime = arguments[stepTime]
        plan.jobs = arguments[jobs] ?? Processors.count
        // Otherwise the time would decide how far the search gets, and two searches would differ.
        let isRandom = plan.strategy?.isRandom == true && !arguments.isGiven(time)
        plan.executions = arguments[executions] ?? (isRandom ? 10_000 : Int.max)
        plan.goal.countsSpurious = plan.rules.spuriousWakeups > 0
        return plan
    }

    private static func strategy(_ arguments: ParsedArguments) throws(Complaint) -> StrategyChoice? {
        let given = arguments[strategy]
        guard let (bound, owner) = bounds.first(where: { arguments.isGiven($0.option) }) else { return given }
        if arguments.isGiven(strategy) && given != owner {
            throw Complaint("\(bound.spelling) requires '\(strategy.spelling) \(owner.rawValue)'")
        }
        return owner
    }
}
