import Authoring
import Scenarios

/// The scenario that a program's help is about: the first of its own, if it is not threadlab itself.
struct OwnScenario {
    let name: String
    /// Another variant than the usual one. Nil: it has one only.
    let variant: String?

    init?(_ scenarios: [any Scenario.Type]) {
        let builtIn = Set(Catalogue.builtIn.map { $0.name })
        let own = scenarios.filter { !builtIn.contains($0.name) }
        // Most commands are about the scheduler.
        guard let scenario = own.first(where: { $0.realThreadsOnly == nil }) ?? own.first else { return nil }
        name = scenario.name
        variant = Self.variants(of: scenario).dropFirst().first
    }

    private static func variants(of scenario: (some Scenario).Type) -> [String] {
        scenario.Variant.allCases.map(\.rawValue)
    }
}
