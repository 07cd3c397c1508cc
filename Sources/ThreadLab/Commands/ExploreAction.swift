import Arguments
import Exploration
import Machine
import Scenarios
import Supervision
import Trace

/// `threadlab explore NAME`
enum ExploreAction: Action {
    static let command = Command(
        "explore", "Search a scenario's interleavings for one that fails, or prove that none does",
        positionals: [Positional("NAME", .scenario, "The scenario", .required)],
        options: [
            .choice(
                "strategy",
                [Word("auto", "whatever finds and proves most")]
                    + StrategyChoice.allCases.map { Word($0.rawValue, $0.summary) },
                default: "auto", placeholder: "STRATEGY", "How to search"),
            .integer("executions", in: 1...Int.max, "Stop after so many executions"),
            .duration("time", in: 1_000_000...86_400_000_000_000, default: "10s", "Stop after so long"),
            .duration(
                "step-time", in: 10_000_000...3_600_000_000_000, default: "1s",
                "Give up an execution whose thread comes to no other step for so long"),
            .seed("seed", default: 1, "The seed of random strategies"),
            .integer("jobs", in: 1...256, "How many processes search; as many as there are processors"),
            .flag("keep-going", "Go on after a finding, and collect those that differ"),
        ] + RuleOptions.options,
        takesScenarioOptions: true,
        examples: [Example("explore deadlock", "the schedule that closes the circle")])

    static func run(_ arguments: ParsedArguments, in session: Session) throws -> ExitCode {
        let scenario = try session.configured(arguments.text("NAME")!, arguments)
        var plan = SearchPlan(scenario)
        plan.rules = RuleOptions.rules(arguments)
        plan.goal.keepsGoing = arguments.flag("keep-going")
        plan.executions = arguments.integer("executions") ?? Int.max
        plan.jobs = arguments.integer("jobs") ?? 2
        let result = try SearchSupervisor.run(plan)
        print(
            result.counts, result.stop as Any,
            result.findings.map { ($0.kind, $0.schedule.description, $0.number, $0.place) })
        return .expected
    }
}
