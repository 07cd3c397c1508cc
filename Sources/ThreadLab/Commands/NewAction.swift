import Arguments
import LabSyntax
import Text
import Trace

/// `threadlab new NAME`
enum NewAction: Action {
    private static let name = TypedPositional.one(
        "NAME", .file, "Name of the new file, with or without .lab; its folder must exist")

    private static let origin = TypedOption.text(
        "from", placeholder: "PROGRAM", of: .programs,
        "Copy this program instead: a name from 'list', a .lab file, or -")

    static let command = Command(
        "new", "Create a .lab file to begin with",
        discussion: """
            NAME.lab is a small runnable program whose comments explain its parts and suggest what to change. An \
            existing file is never overwritten.
            """,
        positionals: [name],
        options: [origin],
        examples: [
            Example("new my-counter", "writes my-counter.lab"),
            Example("new my-update --from lost-update", "a copy of a program that comes with threadlab"),
        ])

    static func run(_ arguments: ParsedArguments, in session: Session) throws -> ExitCode {
        let name = arguments[name]
        let path = LabFiles.isLabFile(name) ? name : name + LabFiles.suffix
        let title = try title(path)
        let text = try arguments[origin].map { try copy(of: $0, session) } ?? StartingProgram.text(title: title)
        try NewFile(path: path).create { $0.write(text) }
        try StandardOutput.write(nextSteps(path, session.program))
        return .expected
    }

    private static func copy(of name: String, _ session: Session) throws(Complaint) -> String {
        guard session.files.names(name) else {
            if session.scenarios.contains(where: { $0.name == name }) {
                throw Complaint(
                    "\(origin.spelling) \(name.printable) is a Swift scenario: '\(session.program) show \(name) --code' prints it"
                )
            }
            throw Complaint(session.known.unknown(name).message)
        }
        return String(decoding: try session.files.file(name).program.source.bytes, as: UTF8.self)
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
