import Arguments
import Authoring
import Trace

/// `threadlab show NAME`
enum ShowAction: Action {
    private static let name = TypedPositional.one("NAME", .scenario, "The scenario")

    static let command = Command(
        "show", "Describe a scenario: what it teaches, its variants and parameters",
        positionals: [name],
        options: [OutputForm.option],
        examples: [Example("show deadlock", "the deadlock scenario")])

    static func run(_ arguments: ParsedArguments, in session: Session) throws -> ExitCode {
        let name = arguments[name]
        if LabFiles.isLabFile(name) {
            let description = LabDescription(
                try session.files.file(name), promisesFailure: try session.files.configured(name, []).promisesFailure)
            try StandardOutput.write { sink in
                if arguments[OutputForm.option] == .json {
                    description.writeJSON(to: &sink)
                    sink.endLine()
                } else {
                    sink.write(description.text(program: session.program, width: session.textWidth))
                }
            }
            return .expected
        }
        let description = ScenarioDescription(try session.scenario(named: name))
        if arguments[OutputForm.option] == .json {
            try StandardOutput.write { sink in
                description.writeJSON(to: &sink)
                sink.endLine()
            }
        } else {
            try StandardOutput.page(session.pager, description.text(program: session.program, width: session.textWidth))
        }
        return .expected
    }
}
