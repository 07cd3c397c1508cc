import Course
import Glibc
import LabSyntax
import Library
import Text

/// The course that comes with threadlab.
package struct LibraryCourse: CourseFiles {
    private static let folder = "course/"

    package init() {}

    package var name: String { "the course that comes with threadlab" }

    package var paths: [String] {
        Library.paths.filter { $0.hasPrefix(Self.folder) }.map { String($0.dropFirst(Self.folder.count)) }
    }

    package func text(of path: String) -> String? { Library.text(of: Self.folder + path) }

    /// The task of an exercise. Nil: there is no such exercise.
    ///
    /// - Parameter exercise: its lesson and its name: `two-threads/add-a-lock`.
    func task(of exercise: String) -> SourceText? {
        text(of: exercise + "/task.lab").map { SourceText(name: exercise, $0) }
    }
}

/// A course in a folder.
package struct FolderCourse: CourseFiles {
    package let name: String
    package let paths: [String]
    /// The paths of symbolic links. They are not followed: they could lead to any of the user's files, which a page of
    /// the course would then show.
    private let links: [String]

    /// - Throws: if there is no such folder, or it cannot be read, or is too large.
    package init(_ path: String) throws(Complaint) {
        name = path.withoutLastSlash
        var content = Content()
        try Self.collect(name, "", 0, &content)
        paths = content.paths.sorted()
        links = content.links
    }

    package func text(of path: String) -> String? {
        guard paths.contains(path), let bytes = try? InputFile("\(name)/\(path)").content(upTo: Self.largest) else {
            return nil
        }
        return String(validating: bytes, as: UTF8.self)
    }

    package func refusal(of path: String) -> String? {
        if let link = links.first(where: { path == $0 || path.path(below: $0) != nil }) {
            return "\(link == path ? "it" : "'\(link)'") is a symbolic link: a course has only files of its own"
        }
        return paths.contains(path) ? "it cannot be read as a text" : nil
    }

    private struct Content {
        var paths: [String] = []
        var links: [String] = []
        var bytes = 0
    }

    /// The number of bytes that are read of a file. The rest of a larger one is ignored.
    private static let largest = 1 << 20
    /// The maximum number of bytes that are read of all files together.
    private static let largestTogether = 1 << 26
    /// The maximum depth of folders below the course's.
    private static let deepest = 4
    /// The maximum number of files and links.
    private static let most = 10_000

    /// Adds the files and links in this folder and below. Names that begin with a dot are skipped.
    private static func collect(
        _ root: String, _ folder: String, _ depth: Int, _ content: inout Content
    ) throws(Complaint) {
        let place = folder.isEmpty ? root : "\(root)/\(folder)"
        guard let entries = opendir(place) else {
            throw Complaint("cannot read the course \(place.printable): \(String(cString: strerror(errno)))")
        }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            guard let name, !name.hasPrefix(".") else { continue }
            let path = folder.isEmpty ? name : "\(folder)/\(name)"
            var status = stat()
            guard lstat("\(root)/\(path)", &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: if depth < deepest { try collect(root, path, depth + 1, &content) }
            case S_IFLNK: content.links.append(path)
            case S_IFREG:
                content.paths.append(path)
                content.bytes += min(Int(status.st_size), largest)
            default: break
            }
            guard content.paths.count + content.links.count <= most else {
                throw Complaint("\(root.printable) has more than \(most) files: that is no course")
            }
            guard content.bytes <= largestTogether else {
                let mebibytes = largestTogether >> 20
                throw Complaint("\(root.printable) has more than \(mebibytes) MiB: that is no course")
            }
        }
    }
}
