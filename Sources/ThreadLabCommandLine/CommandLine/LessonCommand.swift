import Arguments
import Console
import Text

/// Limits the commands that a lesson shows. `learn lint` and `learn --site` run these commands, and the author of the
/// course may be a stranger. So a command must change nothing, and read only programs of the lesson's folder and those
/// that come with threadlab.
enum LessonCommand {
    /// Throws if a word could lead out of the lesson's folder. Called before any word is used.
    static func requireOwnNames(_ words: [String]) throws(Complaint) {
        guard let word = words.first(where: { $0.hasSlash || [".", "..", InputFile.standardInput].contains($0) })
        else { return }
        throw Complaint(
            "'\(word.printable)' is refused: a lesson's command names only programs of the lesson's folder and of the catalogue"
        )
    }

    /// Options that are refused: with `watch` a command does not end, and with `merge` it reads results from elsewhere.
    private static let refused: Set<String> = ["watch", "merge"]

    /// Throws if the command may change something, or reads other files, according to its declaration.
    static func requireReading(
        _ arguments: ParsedArguments, of command: Command, among commands: [Command]
    ) throws(Complaint) {
        guard command.onlyReads else {
            let known = commands.filter(\.onlyReads).map(\.name).joined(separator: ", ")
            throw Complaint("'\(command.name)' is refused: a lesson's command is one of \(known)")
        }
        if let option = arguments.given(of: command).first(where: { refused.contains($0.name) }) {
            throw Complaint("'\(option.spelling)' is refused: a lesson's command runs programs, once")
        }
        guard let option = arguments.givenPaths(of: command).first else { return }
        throw Complaint("'\(option.spelling)' is refused: a lesson's command has no option that takes a path")
    }
}
