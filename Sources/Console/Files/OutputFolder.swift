import Glibc
import Supervision
import Text

/// A folder that the user named for output files. Nothing is written outside of it, even if another user has put
/// symbolic links in it: a link with the name of an output file is replaced, and a path that a link leads out of the
/// folder is refused.
package struct OutputFolder {
    /// The path that the user gave, without a slash at its end.
    private let path: String

    /// - Parameter path: the path of an existing folder.
    package init(_ path: String) { self.path = path.withoutLastSlash }

    /// Creates the folder if it does not exist, and ensures that files can be created in it.
    ///
    /// - Parameter content: the purpose of the folder, for messages.
    package init(making path: String, for content: String) throws(Complaint) {
        func refuse(_ reason: String) -> Complaint {
            Complaint("cannot save \(content) in '\(path.printable)': \(reason)")
        }
        var status = stat()
        if stat(path, &status) != 0 {
            guard mkdir(path, 0o755) == 0 else {
                throw refuse(errno == ENOENT ? "create the folder around it first" : String(cString: strerror(errno)))
            }
        } else if status.st_mode & S_IFMT != S_IFDIR {
            throw refuse("it is not a directory")
        }
        // Any file name would do: only a temporary file is tried.
        if let reason = NewFile.refusal(of: path + "/threadlab") { throw refuse(reason) }
        self.init(path)
    }

    /// The path of the file with this name in the folder.
    func location(of name: String) -> String { path == "/" ? "/" + name : "\(path)/\(name)" }

    /// - Parameters:
    ///   - name: the file's path in the folder.
    ///   - content: what the file is for, with its article.
    package func file(_ name: String, for content: String) throws(Complaint) -> NewFile {
        try file(at: location(of: name), for: content)
    }

    /// - Parameter path: the path of a file in the folder.
    package func file(at path: String, for content: String) throws(Complaint) -> NewFile {
        try requireInside(path) { "cannot save \(content) in '\(path.printable)': \($0)" }
        return try NewFile(replacing: path, for: content)
    }

    /// Throws if a link on the way to this file leads out of the folder.
    ///
    /// - Parameters:
    ///   - file: the file's path. If its folder does not exist, the attempt to open the file reports that.
    ///   - message: makes the message from the reason.
    package func requireInside(_ file: String, _ message: (String) -> String) throws(Complaint) {
        let place = file.placeOfPath ?? "."
        guard let root = NamingFolder.resolved(path), let whole = NamingFolder.resolved(place) else { return }
        guard !Self.contains(root, whole) else { return }
        throw Complaint(message("a link leads there from '\(path.printable)', and out of it"))
    }

    /// Whether `place` is `root`, or a path below it.
    ///
    /// - Parameters:
    ///   - root: an absolute path, with links resolved.
    ///   - place: another such path.
    package static func contains(_ root: String, _ place: String) -> Bool {
        place.utf8.elementsEqual(root.utf8) || place.path(below: root) != nil
    }
}

extension TemporaryFolder {
    /// Creates a temporary folder, and reports a failure as a complaint.
    package static func make(_ name: String) throws(Complaint) -> TemporaryFolder {
        do throws(WriteRefused) {
            return try TemporaryFolder(name)
        } catch {
            throw Complaint(error)
        }
    }
}
