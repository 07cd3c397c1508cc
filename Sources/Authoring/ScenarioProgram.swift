/// A configured scenario, as something that can be run.
package struct ScenarioProgram: Runnable {
    package let scenario: any Scenario

    package init(_ scenario: any Scenario) { self.scenario = scenario }

    package var name: String { type(of: scenario).name }
    package var label: String { arguments.first { $0.name == "variant" }?.value ?? name }
    package var parameters: [ParameterDescription] { type(of: scenario).parameters }
    package var arguments: [(name: String, value: String)] {
        let unused = scenario.variant.unusedParameters
        return scenario.arguments.filter { !unused.contains($0.name) }
    }
    package var guide: String? { (scenario.variant.guide ?? type(of: scenario).guide)?.description }
    package var realThreadsOnly: String? { type(of: scenario).realThreadsOnly }
    package var expectation: Expectation { scenario.expectation }
    /// The file that it was compiled from.
    package var source: String { type(of: scenario).source }
    package func run() throws { try scenario.run() }
    package func review(_ remains: Remains) throws { try scenario.review(remains) }
}
