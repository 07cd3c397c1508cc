import Arguments
import Scenarios
import Trace

/// `threadlab list`
enum ListAction: Action {
    static let command = Command(
        "list", "List the scenarios",
        options: [.choice("format", ["text", "json"], default: "text", placeholder: "FORMAT", "How to write it")])

    static func run(_ arguments: ParsedArguments, in session: Session) throws -> ExitCode {
        if arguments.text("format") == "json" {
            try StandardOutput.write { sink in writeJSON(session.scenarios, to: &sink) }
        } else {
            try StandardOutput.write(text(session))
        }
        return .expected
    }

    private static func text(_ session: Session) -> String {
        let scenarios = session.scenarios
        let width = scenarios.map { $0.name.count }.max() ?? 0
        let lines = scenarios.map { scenario in
            let variants = scenario.variants.map(\.word).joined(separator: ", ")
            return """
                \(scenario.name)\(String(repeating: " ", count: width - scenario.name.count))  \(scenario.summary)
                \(String(repeating: " ", count: width))  variants: \(variants)

                """
        }
        return lines.joined()
            + "\n'\(session.program) show NAME' explains one, '\(session.program) run NAME' runs it.\n"
    }

    private static func writeJSON(_ scenarios: [any Scenario.Type], to sink: inout ByteSink) {
        sink.write("[")
        for (index, scenario) in scenarios.enumerated() {
            if index > 0 { sink.write(",\n ") }
            ScenarioDescription(scenario).writeJSON(to: &sink)
        }
        sink.write("]")
        sink.endLine()
    }
}
