import Arguments
import Authoring
import Trace

/// `threadlab list`
enum ListAction: Action {
    static let command = Command(
        "list", "List the scenarios",
        options: [OutputForm.option])

    static func run(_ arguments: ParsedArguments, in session: Session) throws -> ExitCode {
        if arguments[OutputForm.option] == .json {
            try StandardOutput.write { sink in writeJSON(session.scenarios, to: &sink) }
        } else {
            try StandardOutput.page(session.pager, text(session))
        }
        return .expected
    }

    private static func text(_ session: Session) -> String {
        let layout = Layout(width: session.textWidth)
        let sections = session.scenarios.map { scenario in
            layout.wrap("\(scenario.name): \(scenario.summary)")
                + layout.wrap("variants: " + scenario.variants.map(\.word).joined(separator: ", "), indent: 2)
        }
        let end = layout.wrap(
            "'\(session.program) show NAME' describes a scenario; '\(session.program) run NAME' runs it.")
        return (sections + [end]).map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
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
