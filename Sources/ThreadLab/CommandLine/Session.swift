import Arguments
import Reports
import Scenarios

/// One call of the command line: which scenarios there are, and what the words ask for.
struct Session {
    static let version = "0.1.0"

    /// What the user calls the program: it stands in complaints, and in commands to paste.
    let program: String
    let scenarios: [any Scenario.Type]
    let terminal = Terminal()
    let files: LabFiles

    /// Longer lines than this are hard to read.
    var textWidth: Int { min(terminal.columns, 100) }

    /// Every command, in the order in which help shows them.
    static var actions: [any Action.Type] {
        [
            ListAction.self, ShowAction.self, RunAction.self, ExploreAction.self, ReplayAction.self, TraceAction.self,
            DiagnoseAction.self, ExplainAction.self, CheckAction.self, NewAction.self, FormatAction.self,
            CompletionAction.self,
        ]
    }

    var tool: Tool {
        Tool(
            program, version: Self.version, summary: "see, test and teach how threads behave",
            hint: "To begin: '\(program) run deadlock' shows two threads that wait for each other for ever.",
            commands: Self.actions.map { $0.command })
    }

    var known: KnownScenarios {
        let scenarios = self.scenarios
        let files = self.files
        return KnownScenarios(
            scenarios.map { Word($0.name, $0.summary) }, fileSuffix: LabFiles.suffix,
            hint: "'\(program) list' shows them, and a file's name ends in '\(LabFiles.suffix)'"
        ) { name in
            if LabFiles.isLabFile(name) { return (try? files.file(name))?.parameters.map(\.option) ?? [] }
            return scenarios.first { $0.name == name }?.parameters.map(\.option) ?? []
        }
    }

    func run(_ words: [String]) -> ExitCode {
        do {
            return try answer(words)
        } catch let complaint as Complaint {
            return complain(complaint.message, complaint.code)
        } catch let error as ArgumentError {
            // What is wrong with a file comes before what is wrong with the options that it should have had.
            return complain(files.complaint?.message ?? error.message, .usage)
        } catch {
            return complain("\(error)".printable, .failure)
        }
    }

    private func answer(_ words: [String]) throws -> ExitCode {
        switch try tool.parse(words.isEmpty ? ["help"] : words, scenarios: known) {
        case .help(let topic):
            try StandardOutput.write(
                tool.helpText(for: topic, scenarios: known, width: textWidth))
        case .version:
            try StandardOutput.write("threadlab \(Self.version)\n")
        case .complete(let words):
            for completion in tool.completions(of: words, scenarios: known) {
                try StandardOutput.write(completion.line + "\n")
            }
        case .command(let arguments):
            let action = Self.actions.first { $0.command.name == arguments.command }!
            return try action.run(arguments, in: self)
        }
        return .expected
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
