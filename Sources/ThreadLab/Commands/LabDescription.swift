import Arguments
import Authoring
import LabExecution
import LabProgram
import Text
import Trace

/// A `.lab` file as text, for `show` and for scripts.
struct LabDescription {
    private let file: LabFile
    private let path: String
    private let promisesFailure: Bool

    /// - Parameter promisesFailure: whether some run fails according to the file.
    init(_ file: LabFile, promisesFailure: Bool) {
        self.file = file
        self.promisesFailure = promisesFailure
        path = file.program.source.name
    }

    private var program: Program { file.program }

    func text(program name: String, width: Int) -> String {
        let layout = Layout(width: width)
        let parameters = file.parameters.map { parameter in
            let range = parameter.range.map { "from \($0.lower) to \($0.upper); " } ?? ""
            let help = parameter.help.isEmpty ? "" : parameter.help + " "
            return (left: "--\(parameter.name)", right: "\(help)(\(range)default \(parameter.defaultValue))")
        }
        let expectations = program.claims.map { "  expect \($0.text)" }
        let word = path.quotedForShell
        let sections = [
            layout.wrap("\(program.title.printable): \(path.printable)"),
            layout.paragraphs(program.description.joined(separator: "\n").replacing("`", with: "'")),
            expectations.isEmpty ? [] : ["Expectations:"] + expectations,
            parameters.isEmpty ? [] : ["Parameters:"] + layout.columns(parameters),
            ["Try:"] + Suggestion.commands(word, promisesFailure: promisesFailure).map { "  \(name) \($0)" },
        ]
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    func writeJSON(to sink: inout ByteSink) {
        sink.write("{\"name\":")
        sink.write(json: program.title)
        sink.write(",\"summary\":")
        sink.write(json: program.description.joined(separator: "\n"))
        sink.write(",\"source\":")
        sink.write(json: path)
        sink.write(",\"expectations\":[")
        for (index, expectation) in program.claims.enumerated() {
            sink.write(index > 0 ? "," : "")
            sink.write(json: expectation.text)
        }
        sink.write("],\"parameters\":[")
        for (index, parameter) in file.parameters.enumerated() {
            sink.write(index > 0 ? "," : "")
            ScenarioDescription.write(parameter, to: &sink)
        }
        sink.write("]}")
    }
}
