import Authoring
import Scenarios
import Support
import Testing

/// What `show` and `run` suggest leads to what the scenario promises.
@Suite struct SuggestionTests {
    /// What the user types for a scenario of which some run fails.
    static let broken = brokenFiles + VariantCall.broken.map(\.words)

    static let brokenFiles = Repository.brokenPrograms.filter { !$0.text.contains("\nexpect completes\n") }.map(\.path)

    /// Those that a search can find.
    static let brokenVariants: [ScenarioProgram] = Catalogue.builtIn.flatMap(variants).filter {
        !$0.expectation.findings.isEmpty && $0.realThreadsOnly == nil
    }

    private static func variants(_ scenario: any Scenario.Type) -> [ScenarioProgram] {
        guard case .choice(let choices) = scenario.parameters.first(where: { $0.name == "variant" })?.form else {
            return []
        }
        return choices.map { choice in
            let variant = scenario.init()
            _ = variant.set("variant", to: choice.word)
            return ScenarioProgram(variant)
        }
    }

    private func run(_ words: String) throws -> Ended {
        try Invocation(program: Programs.threadlab, arguments: words.split(separator: " ").map(String.init)).wide
            .inDirectory(Repository.root).run()
    }

    private func suggestions(_ scenario: String) throws -> [String] {
        let text = try run("show \(scenario)").succeeds().output
        let lines = try #require(text.split(separator: "\nTry:\n").last).split(separator: "\n")
        return lines.map { String($0.trimmingPrefix("  threadlab ")) }
    }

    /// For variants of Swift scenarios, `ExploredVariantTests` does the same.
    @Test(arguments: Extent.part(of: brokenFiles, every: 3))
    func `a search shows the failure that a broken program promises`(scenario: String)
        throws
    {
        try run("explore \(scenario)").succeeds().prints("As expected: ").prints("Replay: ")
    }

    @Test(arguments: Extent.part(of: broken, every: 4)) func `a run that went well names the search`(scenario: String)
        throws
    {
        let run = try run("run \(scenario) --seed 1 --format none").succeeds()
        let search = run.output.firstMatch(
            of: /\n  It went well this time. In another order it may not.\n(?:  .*\n)*?  Search: (.*)\n/)
        #expect((search != nil) == run.output.hasPrefix("completed: "))
        guard let words = search?.output.1.split(separator: " ") else { return }
        // Parameters come in the order of their declaration, and only those that differ from the default; then the run's memory model.
        let replay = try #require(run.output.firstMatch(of: /\n  Replay: (.*)\n/)).output.1
        let model = replay.contains(" --model rc11 ") ? "--model rc11".split(separator: " ") : []
        let all = "threadlab explore \(scenario)".split(separator: " ")
        #expect(words.suffix(model.count) == model[...])
        let others = words.dropLast(model.count)
        #expect(others.prefix(3) == all.prefix(3) && Set(others).isSubset(of: all))
    }

    @Test func `the search has the run's memory model`() throws {
        for (file, model) in [("message-passing", " --model rc11"), ("volatile-counter", "")] {
            let search = "threadlab explore scenarios/weak-memory/\(file).lab"
            try run("run scenarios/weak-memory/\(file).lab --seed 1").succeeds().prints("  Search: \(search)\(model)\n")
        }
    }

    @Test func `some broken program goes well with the first seed`() throws {
        try run("run scenarios/conditions/lost-wake-up.lab --seed 1").succeeds().prints("It went well this time.")
    }

    @Test(arguments: Extent.part(of: brokenFiles, every: 3)) func `a broken file is shown with no seed`(file: String)
        throws
    {
        // A program with weak orders has these two besides.
        let ofOrders = ["explore \(file) --model rc11", "litmus \(file)"]
        #expect(
            try suggestions(file).filter { !ofOrders.contains($0) } == [
                "run \(file)", "explore \(file)", "play \(file)", "show \(file) --code",
            ])
    }

    @Test(arguments: Catalogue.builtIn.map { $0.name }) func `a scenario is shown with a search that fails`(
        name: String
    ) throws {
        let suggestions = try suggestions(name)
        let searches = suggestions.filter { $0.hasPrefix("explore ") }
        let own = Self.brokenVariants.filter { $0.name == name }
        if let first = own.first { #expect(searches.contains { $0 == "explore \(first.call)" }) }
        for seeded in suggestions.filter({ $0.contains("--seed") }) {
            try run(seeded).succeeds().prints("completed: ").doesNotPrint("went well")
        }
    }

    @Test func `many runs of which none failed name the search`() throws {
        try run("run deadlock --variant ordered --seed 1 --runs 200").succeeds().doesNotPrint("went well")
        try run("run scenarios/conditions/one-condition.lab --seed 1 --runs 1").succeeds().prints("went well")
        try run("run scenarios/conditions/lost-wake-up.lab --seed 1 --runs 2 --format none").succeeds()
            .prints("They went well this time.").prints(": threadlab explore scenarios/conditions/lost-wake-up.lab\n")
    }
}
