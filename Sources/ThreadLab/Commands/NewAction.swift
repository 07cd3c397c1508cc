import Arguments
import LabSyntax
import Text
import Trace

/// `threadlab new NAME`
enum NewAction: Action {
    private static let name = TypedPositional.one(
        "NAME", .file, "Name of the new file, with or without .lab; its folder must exist")

    static let command = Command(
        "new", "Create a starter .lab file",
        discussion: """
            NAME.lab is a small runnable program whose comments explain its parts and suggest what to change. An \
            existing file is never overwritten.
            """,
        positionals: [name],
        examples: [Example("new lost-update", "writes lost-update.lab")])

    static func run(_ arguments: ParsedArguments, in session: Session) throws -> ExitCode {
        let name = arguments[name]
        let path = LabFiles.isLabFile(name) ? name : name + LabFiles.suffix
        let text = StartingProgram.text(title: try title(path))
        try NewFile(path: path).create { $0.write(text) }
        try StandardOutput.write(nextSteps(path, session.program))
        return .expected
    }

    /// The scenario's title: the file name without its extension, with spaces for hyphens.
    private static func title(_ path: String) throws(Complaint) -> String {
        let last = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let stem = String(last.dropLast(LabFiles.suffix.count))
        let isFit = !stem.isEmpty && !stem.hasPrefix(".") && !path.hasPrefix("-")
        let isPlain =
            !stem.contains("\"") && !stem.contains("\\") && !path.unicodeScalars.contains(where: \.isHazardous)
        guard isFit, isPlain else {
            throw Complaint(
                "NAME \(path.printable): must be a file name that does not begin with - or . and contains no quotation "
                    + "marks, backslashes or control characters")
        }
        return stem.replacing("-", with: " ")
    }

    private static func nextSteps(_ path: String, _ program: String) -> String {
        let run = "  \(program) run \(path.quotedForShell)"
        return """
            \(path) has been created. Open it in an editor, and try:
            \(run)
            \(run) --seed 1 --format lanes
            \(run) --seed 1 --repeat 100
              \(program) explore \(path.quotedForShell)

            """
    }
}
