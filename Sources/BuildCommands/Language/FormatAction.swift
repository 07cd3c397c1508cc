import Arguments
import Console
import Glibc
import LabSyntax
import Text

/// `threadlab format FILE...`: prints or rewrites `.lab` files in canonical form, or says which are not.
package enum FormatAction: Action {
    package struct Options: OptionGroup {
        let files: Listed<[String]>
        let check, inPlace: Listed<Bool>

        package init(_ list: inout OptionList) {
            files = list.oneOrMore(
                "FILE", .file, "A .lab file, a folder, or - for standard input")
            check = list.flag(
                "check", "List the files that are not in canonical form, each with its first differing line")
            inPlace = list.flag("in-place", "Rewrite the files that are not in canonical form")
            list.exclude([[check, inPlace]])
        }
    }

    package static let command = TypedCommand<Options>(
        "format", "Format .lab files",
        discussion: """
            Prints each file in canonical form, with uniform spacing and line breaks. Its meaning and comments do not \
            change. For a folder, all .lab files in it and its subfolders are formatted.

            The exit code is 1 if --check finds a file that is not in canonical form, and 2 if a file has errors or \
            cannot be read or written. The other files are still formatted.
            """,
        examples: [
            Example("format --in-place queue.lab", "formats the file in place"),
            Example("format --check scenarios", "for CI"),
        ])

    package static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        let paths = arguments.files
        let inputs = paths.filter { $0 == InputFile.standardInput }
        if inputs.count > 1 { throw Complaint("FILE -: standard input can be read only once") }
        if arguments.inPlace, !inputs.isEmpty {
            throw Complaint(
                "\(arguments.options.inPlace.spelling) and FILE -: standard input cannot be rewritten in place: omit one of them"
            )
        }
        var search = LabSearch()
        // For each file that was found in a folder, by its path: the folder.
        var folders: [String: OutputFolder] = [:]
        for path in paths {
            let known = search.files.count
            search.add(path)
            for file in search.files[known...] where file != path { folders[file] = OutputFolder(path) }
        }
        guard !search.files.isEmpty || !search.complaints.isEmpty else {
            throw Complaint("no .lab file in \(paths.map { "'\($0.printable)'" }.joined(separator: ", "))")
        }
        var worst = ExitCode.expected
        let empty = search.emptyFolders.map { "no .lab file in '\($0)'" }
        for message in search.complaints.map(\.message) + empty {
            worst = session.complain(message.printable, .usage)
        }
        for file in search.files {
            let code = try format(file, in: folders[file], arguments, session)
            worst = max(worst, code)
        }
        return worst
    }

    /// Formats one file. An error in it is reported, and its exit code returned.
    ///
    /// - Parameter folder: the folder that the command line names, if the file was found in it.
    private static func format(
        _ path: String, in folder: OutputFolder?, _ arguments: TypedArguments<Options>, _ session: Session
    ) throws -> ExitCode {
        let file: FormattedFile
        do throws(Complaint) {
            file = try FormattedFile(path)
            if arguments.inPlace {
                try file.save(in: folder)
                return .expected
            }
        } catch {
            return session.complain(error.message, error.code)
        }
        let isChecked = arguments.check
        try StandardOutput.write(isChecked ? file.finding : file.text)
        return isChecked && file.difference != nil ? .finding : .expected
    }
}

/// A `.lab` file and its canonical form.
struct FormattedFile {
    private let path: String
    /// The canonical form.
    package let text: String
    /// The first line that differs. Nil: the file is in canonical form.
    let difference: FormDifference?

    /// - Throws: a `Complaint` if the file has errors.
    init(_ path: String) throws(Complaint) {
        // One byte more than the limit is enough for the reader to reject the file.
        let bytes = try InputFile(path).content(upTo: Limits.fileBytes + 1)
        let source = SourceText(name: path == InputFile.standardInput ? "<stdin>" : path, bytes)
        guard source.isText else { throw Complaint("\(source.name.printable) is not a text file") }
        do throws(Unformatted) {
            text = try source.formatted()
        } catch {
            throw Complaint(error.diagnostics.map { $0.text(in: source) }.joined(separator: "\n\n") + "\n")
        }
        self.path = source.name
        difference = FormDifference(between: bytes, and: text)
    }

    /// The first line that differs, and how. Empty if the file is in canonical form.
    var finding: String {
        guard let difference else { return "" }
        let lines = [difference.present.map { "- " + $0.printable }, difference.canonical.map { "+ " + $0.printable }]
        return (["\(path.printable):\(difference.line): not in canonical form"] + lines.compactMap { $0 })
            .joined(separator: "\n") + "\n"
    }

    /// Rewrites the file in canonical form, if that changes anything.
    ///
    /// - Parameter folder: the folder in which the file was found. No link may lead out of it.
    func save(in folder: OutputFolder?) throws(Complaint) {
        guard difference != nil else { return }
        let file = NewFile(following: path)
        try folder?.requireInside(file.path) { "cannot write \(path.printable): \($0); name the file itself" }
        var status = stat()
        // Replacing the file would also be possible if it is write-protected, but then the user does not want it.
        guard stat(file.path, &status) == 0, access(file.path, W_OK) == 0 else { throw file.complaint(errno) }
        try file.write(keeping: status) { $0.write(text) }
    }
}
