import Arguments
import Text

/// `threadlab format FILE...`
enum FormatAction: Action {
    private static let files = TypedPositional.oneOrMore(
        "FILE", .file, "A .lab file, a folder, or - for standard input")
    private static let check = TypedOption.flag(
        "check", "Print no file, but which are not in canonical form, each with the first line that is not")
    private static let inPlace = TypedOption.flag("in-place", "Write over the files that are not in canonical form")

    static let command = Command(
        "format", "Write .lab files in their canonical form",
        discussion: """
            Prints the files, one after the other, with the spaces and line ends that all files have in common. What they \
            mean stays, and so do their comments. Of a folder every .lab file is taken, in it and below.

            The exit code is 1 if --check finds a file that is not in canonical form, 2 if one cannot be read or has \
            errors, and 3 if one cannot be written. The other files are done all the same.
            """,
        positionals: [files],
        options: [check, inPlace],
        exclusive: [[check, inPlace]],
        examples: [
            Example("format --in-place queue.lab", "puts the file in order"),
            Example("format --check scenarios", "what a CI script asks"),
        ])

    static func run(_ arguments: ParsedArguments, in session: Session) throws -> ExitCode {
        let paths = arguments[files]
        let inputs = paths.filter { $0 == FormattedFile.standardInput }
        if inputs.count > 1 { throw Complaint("FILE -: standard input can be read once: give it once") }
        if arguments[inPlace], !inputs.isEmpty {
            throw Complaint(
                "\(inPlace.spelling) and FILE -: standard input is no file to write over: leave one of them out")
        }
        var search = LabSearch()
        for path in paths { search.add(path) }
        guard !search.files.isEmpty || !search.complaints.isEmpty else {
            throw Complaint("no .lab file in \(paths.map { "'\($0.printable)'" }.joined(separator: ", "))")
        }
        var worst = ExitCode.expected
        for complaint in search.complaints { worst = session.complain(complaint.message.printable, .usage) }
        for file in search.files {
            let code = try format(file, arguments, session)
            worst = max(worst, code)
        }
        return worst
    }

    private static func format(_ path: String, _ arguments: ParsedArguments, _ session: Session) throws -> ExitCode {
        let file: FormattedFile
        do throws(Complaint) {
            file = try FormattedFile(path)
            if arguments[inPlace] {
                try file.save()
                return .expected
            }
        } catch {
            return session.complain(error.message, error.code)
        }
        let isChecked = arguments[check]
        try StandardOutput.write(isChecked ? file.finding : file.text)
        return isChecked && file.difference != nil ? .finding : .expected
    }
}
