import Course
import Glibc
import LabSyntax
import Library
import Text

/// The course that comes with threadlab.
struct LibraryCourse: CourseFiles {
    private static let folder = "course/"

    var name: String { "the course that comes with threadlab" }

    var paths: [String] {
        Library.paths.filter { $0.hasPrefix(Self.folder) }.map { String($0.dropFirst(Self.folder.count)) }
    }

    func text(of path: String) -> String? { Library.text(of: Self.folder + path) }

    /// The task of an exercise, by its path: `two-threads/add-a-lock`.
    func task(of exercise: String) -> SourceText? {
        text(of: exercise + "/task.lab").map { SourceText(name: exercise, $0) }
    }
}

/// A course in a folder.
struct FolderCourse: CourseFiles {
    let name: String
    let paths: [String]

    /// - Throws: if there is no such folder, or it cannot be read.
    init(_ path: String) throws(Complaint) {
        name = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        var paths: [String] = []
        try Self.collect(name, "", 0, &paths)
        self.paths = paths.sorted()
    }

    func text(of path: String) -> String? {
        guard paths.contains(path), let bytes = try? InputFile("\(name)/\(path)").content(upTo: Self.largest) else {
            return nil
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static let largest = 1 << 20
    private static let deepest = 4
    private static let most = 10_000

    private static func collect(
        _ root: String, _ folder: String, _ depth: Int, _ paths: inout [String]
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
            guard stat("\(root)/\(path)", &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                if depth < deepest { try collect(root, path, depth + 1, &paths) }
            } else if status.st_mode & S_IFMT == S_IFREG {
                paths.append(path)
            }
            guard paths.count <= most else {
                throw Complaint("\(root.printable) has more than \(most) files: that is no course")
            }
        }
    }
}
