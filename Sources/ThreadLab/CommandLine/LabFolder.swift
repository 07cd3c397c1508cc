import Arguments
import Glibc

/// A folder, and the `.lab` files in it and below.
struct LabFolder {
    let path: String

    /// Nil: the path leads to no folder.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
        self.path = path
    }

    /// The paths of the files, a folder's own before those of its folders, in the order of their names. What begins with a dot
    /// is left out, and links to folders are not followed: they may lead round in a circle.
    ///
    /// - Parameter complain: is told of folders that cannot be read.
    func files(_ complain: (Complaint) -> Void) -> [String] {
        var files: [String] = []
        var folders = [path]
        while let folder = folders.popLast() {
            var inner: [String] = []
            for name in Self.names(in: folder, complain).sorted() where !name.hasPrefix(".") {
                let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
                if Self.isFolder(path) { inner.append(path) } else if LabFiles.isLabFile(name) { files.append(path) }
            }
            folders += inner.reversed()
        }
        return files
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func names(in folder: String, _ complain: (Complaint) -> Void) -> [String] {
        func failed() { complain(Complaint("cannot read \(folder.printable): \(String(cString: strerror(errno)))")) }
        guard let directory = opendir(folder) else {
            failed()
            return []
        }
        defer { closedir(directory) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(directory) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
            errno = 0
        }
        if errno != 0 { failed() }
        return names
    }
}
