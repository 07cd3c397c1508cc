import Arguments
import Scenarios
import Trace

/// `threadlab show NAME`
enum ShowAction: Action {
    static let command = Command(
        "show", "Explain a scenario: what it teaches, its variants and parameters",
        positionals: [Positional("NAME", .scenario, "The scenario", .required)],
        options: [.choice("format", ["text", "json"], default: "text", placeholder: "FORMAT", "How to write it")],
        examples: [Example("show deadlock", "what the deadlock demo can do")])

    static func run(_ arguments: ParsedArguments, in session: Session) throws -> ExitCode {
        let description = ScenarioDescription(try session.scenario(named: arguments.text("NAME")!))
        if arguments.text("format") == "json" {
            try StandardOutput.write { sink in
                description.writeJSON(to: &sink)
                sink.endLine()
            }
        } else {
            try StandardOutput.write(description.text(program: session.program, width: session.textWidth))
        }
        return .expected
    }
}
