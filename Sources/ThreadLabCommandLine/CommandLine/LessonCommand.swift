import Arguments
import Console
import Text

/// A command that a lesson shows. `learn lint` and `learn --site` run it, and the course may be a stranger's. So the
/// command must change nothing, and read only programs of the course's folder and of the catalogue.
enum LessonCommand {
    /// Refuses words that lead out of the folder, before any of them is used.
    static func requireOwnNames(_ words: [String]) throws(Complaint) {
        guard let word = words.first(where: { $0.hasSlash || [".", "..", InputFile.standardInput].contains($0) })
        else { return }
        throw Complaint(
            "'\(word.printable)' is refused: a lesson's command names only programs of the lesson's folder and of the catalogue"
        )
    }

    /// Options with which a command does not end, or shows results from elsewhere.
    private static let endless: Set<String> = ["watch", "merge"]

    /// Refuses a command that may change something, according to its declarations.
    static func requireReading(
        _ arguments: ParsedArguments, of command: Command, among commands: [Command]
    ) throws(Complaint) {
        guard command.onlyReads else {
            let known = commands.filter(\.onlyReads).map(\.name).joined(separator: ", ")
            throw Complaint("'\(command.name)' is refused: a lesson's command is one of \(known)")
        }
        if let option = arguments.given(of: command).first(where: { endless.contains($0.name) }) {
            throw Complaint("'\(option.spelling)' is refused: a lesson's command runs programs, once")
        }
        guard let option = arguments.givenPaths(of: command).first else { return }
        throw Complaint("'\(option.spelling)' is refused: a lesson's command has no option that takes a path")
    }
}
