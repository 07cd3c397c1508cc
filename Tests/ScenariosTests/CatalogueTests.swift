import Authoring
import Scenarios
import Support
import Testing

@Suite struct CatalogueTests {
    @Test func `the scenarios are in the order of the guide's chapters, and those of the article come last`() {
        let parts = Catalogue.builtIn.map { $0.guide?.part }
        var chapters: [String?] = []
        for part in parts where part != chapters.last { chapters.append(part) }
        #expect(
            chapters == [
                "About Threaded Programming", "Thread Management", "Run Loops", "Synchronization",
                "Thread-Safe Class Design",
            ])
        #expect(Set(Catalogue.builtIn.map { $0.name }).count == Catalogue.builtIn.count)
    }

    @Test(arguments: Catalogue.builtIn.indices)
    func `the guide's page leads to every scenario`(index: Int) throws {
        let page = try #require(Repository.text(of: "docs/guide.md"))
        let name = Catalogue.builtIn[index].name
        #expect(page.contains("`\(name)`") || page.contains("`\(name)/"))
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
