import Authoring
import Scenarios
import Testing

@Suite struct CatalogueTests {
    @Test func `the scenarios are in the order in which they are shown`() {
        #expect(
            Catalogue.builtIn.map { $0.name }
                == [
                    "seven-ways", "too-small-to-thread", "idle-work", "main-thread-guard", "thread-errors", "fork",
                    "thread-lifecycle", "entry-routine", "thread-dictionary", "stack-size", "priority-inversion",
                    "shutdown", "cancellation", "kill-or-cancel",
                    "run-loop-order", "run-loop-modes", "timers", "perform", "command-source", "port-check-in",
                    "named-ports", "run-loop-exit", "run-loop-nested", "event-tracking", "run-loop-other-thread",
                    "producer-consumer", "deadlock", "synchronized", "spin-or-block", "partition-measured",
                    "from-container", "distributed-lock", "signals",
                    "atomic-property", "last-release", "image-cache", "confined-object", "delegates",
                    "queue-reentrancy",
                    "sync-async-mix", "backpressure", "queue-inversion", "async-fix",
                ])
    }

    @Test func `scenarios that follow one part of the guide are together`() {
        let parts = Catalogue.builtIn.map { $0.guide?.part }
        let changes = zip(parts, parts.dropFirst()).count { $0 != $1 }
        #expect(changes + 1 == Set(parts).count)
        #expect(parts.compactMap(\.self).count == parts.count)
    }

    @Test(arguments: Catalogue.builtIn.indices)
    func `every scenario has the texts that the command line shows`(index: Int) {
        let type = Catalogue.builtIn[index]
        #expect(type.summary.hasSuffix(".") && !type.summary.contains("\n") && type.summary.count <= 100)
        #expect(type.lesson.count > 200)
        #expect(type.source.hasPrefix("Scenarios/"))
        #expect(type.name.allSatisfy { $0.isLowercase || $0 == "-" })
        for parameter in type.parameters {
            #expect(!parameter.help.hasSuffix(".") && parameter.help.count <= 90)
            guard case .choice(let choices) = parameter.form else { continue }
            #expect(
                choices.allSatisfy { !$0.summary.hasSuffix(".") && $0.summary.count <= 90 && $0.expectation != nil })
        }
    }

    @Test func `what a variant does not use is a parameter, and not in the header of its runs`() throws {
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

    @Test(arguments: Catalogue.builtIn.indices)
    func `a scenario describes its defaults correctly`(index: Int) {
        let type = Catalogue.builtIn[index]
        let scenario = type.init()
        for (described, actual) in zip(type.parameters, scenario.arguments) {
            #expect(described.name == actual.name && described.defaultValue == actual.value)
            #expect(scenario.set(described.name, to: described.defaultValue))
        }
    }
}
