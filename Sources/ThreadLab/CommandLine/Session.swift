import Arguments
import Authoring
import Glibc
import Library
import Reports
import Text

/// One invocation of the command line: the known scenarios and the arguments.
struct Session {
    static let version = "0.1.0"

    /// The program's name, as the user typed it: it appears in messages and in commands to paste.
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
            Self.words(scenarios), fileSuffix: LabFiles.suffix,
            hint: "'\(program) list' lists them; the name of a file ends in '\(LabFiles.suffix)'",
            vocabulary: { $0.words(scenarios) },
            options: { name in
                if files.names(name) { return (try? files.file(name))?.parameters.map(\.option) ?? [] }
                return scenarios.first { $0.name == name }?.parameters.map(\.option) ?? []
            })
    }

    private static func words(_ scenarios: [any Scenario.Type]) -> [KnownWord] {
        let programs = Library.chapters.flatMap { chapter in
            chapter.programs.map { KnownWord($0.name, "\(chapter.name): \($0.summary)") }
        }
        return scenarios.map { KnownWord($0.name, $0.summary) } + programs
    }

    /// Reports an error. A message about a file begins with the file's name.
    func complain(_ message: String, _ code: ExitCode) -> ExitCode {
        StandardError.write(message.contains("\n") ? message + "\n" : "\(program): \(message)\n")
        return code
    }

    /// The options of reports.
    func reportOptions(_ color: Terminal.ColourChoice) -> ReportOptions {
        var options = terminal.reportOptions(color)
        options.program = program
        return options
    }

    // MARK: - Scenarios by name

    /// The scenario that the argument names.
    func scenario(named name: String) throws(Complaint) -> any Scenario.Type {
        if let scenario = scenarios.first(where: { $0.name == name }) { return scenario }
        throw Complaint(misnamedFile(name) ?? known.unknown(name).message)
    }

    /// What is wrong with a word that is not a scenario but leads to a file.
    private func misnamedFile(_ word: String) -> String? {
        let named = word + LabFiles.suffix
        if access(named, F_OK) == 0 {
            return "unknown scenario '\(word.printable)': did you mean '\(named.printable)'?"
        }
        guard access(word, F_OK) == 0 else { return nil }
        return "\(word.printable) is not a .lab file: if it is a saved trace, "
            + "'\(program) replay \(word.quotedForShell)' repeats the run"
    }
}
