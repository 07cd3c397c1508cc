import Arguments
import Authoring
import Reports
import Text

/// One call of the command line: which scenarios there are, and what the words ask for.
struct Session {
    static let version = "0.1.0"

    /// What the user calls the program: it stands in complaints, and in commands to paste.
    let program: String
    let scenarios: [any Scenario.Type]
    let terminal = Terminal()
    /// What shows long output.
    var pager = Pager(rows: nil, isWanted: false)
    let files: LabFiles

    /// Longer lines than this are hard to read.
    var textWidth: Int { min(terminal.columns, 100) }

    var known: KnownScenarios {
        let scenarios = self.scenarios
        let files = self.files
        return KnownScenarios(
            scenarios.map { KnownWord($0.name, $0.summary) }, fileSuffix: LabFiles.suffix,
            hint: "'\(program) list' shows them, and a file's name ends in '\(LabFiles.suffix)'"
        ) { name in
            if LabFiles.isLabFile(name) { return (try? files.file(name))?.parameters.map(\.option) ?? [] }
            return scenarios.first { $0.name == name }?.parameters.map(\.option) ?? []
        }
    }

    /// Says what is wrong. What is said about a file begins with the file's name.
    func complain(_ message: String, _ code: ExitCode) -> ExitCode {
        StandardError.write(message.contains("\n") ? message + "\n" : "\(program): \(message)\n")
        return code
    }

    /// How reports are to look, of a command that has the option to choose colours.
    func reportOptions(_ arguments: ParsedArguments) -> ReportOptions {
        var options = terminal.reportOptions(arguments)
        options.program = program
        return options
    }

    // MARK: - Scenarios by name

    /// The scenario that the argument names.
    func scenario(named name: String) throws(Complaint) -> any Scenario.Type {
        if let scenario = scenarios.first(where: { $0.name == name }) { return scenario }
        throw Complaint(known.unknown(name).message)
    }
}
