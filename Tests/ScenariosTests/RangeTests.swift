import Authoring
import Execution
import Exploration
import Machine
import Scenarios
import Supervision
import Support
import Testing

/// Both ends of the range of every parameter: of each alone, and of all.
@Suite struct RangeTests {
    static let names = Catalogue.builtIn.filter { $0.realThreadsOnly == nil }.map { $0.name }

    @Test(arguments: names)
    func `a run ends as its variant says, in the time and the steps that it may take`(name: String) throws {
        let type = try #require(Catalogue.builtIn.first { $0.name == name })
        for line in RangeEnds.lines(of: type) {
            let scenario = try Setting(line).make()
            let steps = ScenarioProgram(scenario).defaultMaximumSteps
            let runtime = ControlledRuntime(chooser: RandomWalk(seed: 1), rules: Rules(maximumSteps: steps))
            let allowed = scenario.expectation.allowed.map(\.seenByMachine)
            let ending = scenario.outcome(on: runtime)
            if let ending { #expect(allowed.contains(ending), "\(line)") } else { Issue.record("cut off: \(line)") }
            let time = Duration.nanoseconds(runtime.hiddenNow)
            #expect(time <= scenario.expectedDuration + .milliseconds(100), "\(line) takes \(time)")
        }
    }

    @Test func `each end of a range has a setting`() throws {
        let timers = try #require(Catalogue.builtIn.first { $0.name == "timers" })
        let lines = RangeEnds.lines(of: timers)
        #expect(lines.contains("timers --variant clock --interval 10s"))
        #expect(lines.contains("timers --variant clock --interval 1ms --work 1ms --fires 2"))
    }

    @Test func `the limits grow with the parameters`() throws {
        let long = try ScenarioProgram(Setting("timers --interval 10s").make())
        #expect(long.defaultTimeout == RunPlan.defaultTimeout + 60_030_000_000)
        let many = try ScenarioProgram(Setting("producer-consumer --items 100 --producers 16").make())
        #expect(many.defaultMaximumSteps > RunPlan.defaultMaximumSteps)
    }
}
