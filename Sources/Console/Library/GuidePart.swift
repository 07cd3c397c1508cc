import Authoring
import Text

/// The scenarios that show ideas of one chapter of Apple's Threading Programming Guide, or of one other book.
package struct GuidePart {
    package let title: String
    package fileprivate(set) var scenarios: [any Scenario.Type]

    /// The title as a word of the command line: `run-loops`.
    package var name: String { title.lowercased().replacing(" ", with: "-") }

    /// The parts, in the order of their first scenarios.
    package static func all(of scenarios: [any Scenario.Type]) -> [Self] {
        scenarios.reduce(into: []) { parts, scenario in
            let title = scenario.guide?.part ?? "Others"
            if let place = parts.firstIndex(where: { $0.title == title }) {
                parts[place].scenarios.append(scenario)
            } else {
                parts.append(Self(title: title, scenarios: [scenario]))
            }
        }
    }
}
