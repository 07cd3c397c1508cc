import Authoring
import Scenarios
import Testing

@Suite struct CatalogueTests {
    @Test("the scenarios are in the order in which they are shown")
    func order() {
        #expect(
            Catalogue.builtIn.map { $0.name }
                == [
                    "producer-consumer", "deadlock", "cancellation", "shutdown", "priority-inversion",
                    "thread-lifecycle", "thread-errors", "thread-dictionary", "main-thread-guard",
                    "too-small-to-thread", "partition-measured", "seven-ways", "kill-or-cancel", "distributed-lock",
                    "signals", "fork", "stack-size",
                    "run-loop-order", "command-source", "timers", "perform", "port-check-in", "named-ports",
                    "run-loop-modes", "run-loop-exit", "run-loop-nested", "event-tracking", "idle-work", "async-fix",
                    "run-loop-other-thread", "spin-or-block", "synchronized", "atomic-property", "last-release",
                    "from-container", "entry-routine", "queue-reentrancy", "delegates", "sync-async-mix",
                    "backpressure", "confined-object",
                ])
    }

    @Test("every scenario has the texts that the command line shows", arguments: Catalogue.builtIn.indices)
    func texts(index: Int) {
        let type = Catalogue.builtIn[index]
        #expect(type.summary.hasSuffix(".") && !type.summary.contains("\n") && type.summary.count <= 100)
        #expect(type.lesson.count > 200)
        #expect(type.source.contains("/Sources/Scenarios/"))
        #expect(type.name.allSatisfy { $0.isLowercase || $0 == "-" })
        for parameter in type.parameters {
            #expect(!parameter.help.hasSuffix(".") && parameter.help.count <= 90)
            guard case .choice(let choices) = parameter.form else { continue }
            #expect(
                choices.allSatisfy { !$0.summary.hasSuffix(".") && $0.summary.count <= 90 && $0.expectation != nil })
        }
    }

    @Test("what a variant does not use is a parameter, and not in the header of its runs")
    func unusedParameters() throws {
        for setting in ExpectationTests.everyVariant {
            let scenario = try setting.make()
            let unused = scenario.variant.unusedParameters
            #expect(unused.isSubset(of: scenario.arguments.map(\.name)))
            let shown = ScenarioProgram(scenario).arguments.map(\.name)
            #expect(unused.isDisjoint(with: shown) && shown.count == scenario.arguments.count - unused.count)
        }
        let ring = try Setting("deadlock --variant ring").make()
        #expect(ScenarioProgram(ring).arguments.map(\.name) == ["variant", "threads", "pause"])
    }

    @Test("a scenario describes its defaults correctly", arguments: Catalogue.builtIn.indices)
    func defaults(index: Int) {
        let type = Catalogue.builtIn[index]
        let scenario = type.init()
        for (described, actual) in zip(type.parameters, scenario.arguments) {
            #expect(described.name == actual.name && described.defaultValue == actual.value)
            #expect(scenario.set(described.name, to: described.defaultValue))
        }
    }
}
