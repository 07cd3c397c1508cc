package import Authoring

/// The settings of a scenario at the ends of its parameters' ranges.
package enum RangeEnds {
    /// For each variant, as typed on a command line: each parameter that it uses at each end of its range, the others at
    /// their defaults; and all at their least values, and all at their greatest.
    package static func lines(of type: any Scenario.Type) -> [String] {
        variants(of: type).flatMap { variant, unused in
            let ranges = type.parameters.filter { !unused.contains($0.name) }.compactMap { parameter in
                parameter.range.map { (option: "--\(parameter.name)", range: $0) }
            }
            let least = ranges.map { "\($0.option) \($0.range.lower)" }
            let greatest = ranges.map { "\($0.option) \($0.range.upper)" }
            let all = ranges.count > 1 ? [least, greatest].map { $0.joined(separator: " ") } : []
            return (least + greatest + all).map { "\(type.name) --variant \(variant) \($0)" }
        }
    }

    private static func variants(of type: any Scenario.Type) -> [(word: String, unused: Set<String>)] {
        guard case .choice(let choices) = type.parameters.first(where: { $0.name == "variant" })?.form else {
            return []
        }
        return choices.compactMap { choice in
            let scenario = type.init()
            return scenario.set("variant", to: choice.word) ? (choice.word, unusedParameters(of: scenario)) : nil
        }
    }

    private static func unusedParameters<S: Scenario>(of scenario: S) -> Set<String> {
        scenario.variant.unusedParameters
    }
}
