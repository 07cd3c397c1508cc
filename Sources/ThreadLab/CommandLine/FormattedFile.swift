import Glibc
import LabSyntax
import Text

/// A `.lab` file and its canonical form.
struct FormattedFile {
    private let path: String
    /// The canonical form.
    let text: String
    /// Nil if the file is in canonical form.
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
    func save() throws(Complaint) {
        guard difference != nil else { return }
        let file = NewFile(following: path)
        var status = stat()
        // A write-protected file is not replaced, although that would be possible.
        guard stat(file.path, &status) == 0, access(file.path, W_OK) == 0 else { throw file.complaint(errno) }
        try file.write(keeping: status) { $0.write(text) }
    }
}
