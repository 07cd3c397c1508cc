import Authoring
import Console
import Scenarios
import Text

/// A mistake in the list of scenarios that a program was built with. It is reported when the program starts.
struct CatalogueProblem: Equatable {
    let message: String

    /// Nil: the list is right.
    ///
    /// - Parameters:
    ///   - proved: scenarios whose parameters are known to be right. They are not examined, because that takes most of
    ///     the time of a start.
    ///   - options: the names of the command line's own options.
    init?(_ scenarios: [any Scenario.Type], proved: [any Scenario.Type] = [], options: Set<String>) {
        let proved = Set(proved.map { ObjectIdentifier($0) })
        var names: Set<String> = []
        for scenario in scenarios {
            let place = "\(scenario) (\(scenario.source))"
            guard Self.isHyphenated(scenario.name) else {
                message = "\(place): its name '\(scenario.name)' must be lowercase words with hyphens".printable
                return
            }
            guard names.insert(scenario.name).inserted else {
                message = "\(place): another scenario is called '\(scenario.name)' too".printable
                return
            }
            if proved.contains(ObjectIdentifier(scenario)) { continue }
            if let problem = Self.problem(in: scenario.parameters, options: options) {
                message = "\(place): \(problem)".printable
                return
            }
        }
        return nil
    }

    private static func problem(in parameters: [ParameterDescription], options: Set<String>) -> String? {
        var names: Set<String> = []
        for parameter in parameters {
            let name = parameter.name
            if options.contains(name) { return "the command line has an option '--\(name)': rename the parameter" }
            if !isHyphenated(name) {
                return "the parameter '\(name)' makes no option: its name must consist of ASCII letters and digits"
            }
            if !names.insert(name).inserted { return "two parameters make the option '--\(name)': rename one" }
            if parameter.form == .flag && parameter.defaultValue != "false" {
                return "the parameter '\(name)' is a flag, which can only be switched on: let it be false at first, "
                    + "and call it by its opposite"
            }
        }
        return nil
    }

    /// Whether the name consists of lowercase letters and digits in words with hyphens between them. No regular
    /// expression is used: each use would parse it again, for hundreds of names at each start.
    private static func isHyphenated(_ name: String) -> Bool {
        name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).allSatisfy { word in
            !word.isEmpty
                && word.allSatisfy {
                    UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                }
        }
    }
}

/// The scenario in the examples of a program's help, if the program is not threadlab itself: one of its scenarios that
/// is not built in.
struct OwnScenario {
    let name: String
    /// The second variant. Nil: the scenario has only one.
    let variant: String?

    init?(_ scenarios: [any Scenario.Type]) {
        let builtIn = Set(Catalogue.builtIn.map { $0.name })
        let own = scenarios.filter { !builtIn.contains($0.name) }
        // Most examples run scenarios under the scheduler, so one that needs real threads is only the second choice.
        guard let scenario = own.first(where: { $0.realThreadsOnly == nil }) ?? own.first else { return nil }
        name = scenario.name
        variant = Self.variants(of: scenario).dropFirst().first
    }

    private static func variants(of scenario: (some Scenario).Type) -> [String] {
        scenario.Variant.allCases.map(\.rawValue)
    }
}
