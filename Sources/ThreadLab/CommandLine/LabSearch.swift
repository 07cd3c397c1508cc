import Glibc
import Trace

/// The `.lab` files that paths lead to: the files themselves, and those in folders, at any depth. Each file appears
/// once, even if links lead to it. Names that begin with a dot are skipped.
struct LabSearch {
    /// In the order of the paths; files in a folder in alphabetical order.
    private(set) var files: [String] = []
    /// Folders that cannot be read, files whose names cannot be used, and why.
    private(set) var complaints: [(path: String, message: String)] = []
    private var known: Set<Identity> = []

    private struct Identity: Hashable {
        let device: dev_t
        let number: ino_t
    }

    /// Adds a path from the command line, without checking that the file can be read or is what its name suggests.
    mutating func add(_ path: String) {
        guard let (identity, isFolder) = look(at: path) else { return files.append(path) }
        guard known.insert(identity).inserted else { return }
        if isFolder { addFolder(path) } else { files.append(path) }
    }

    private mutating func addFolder(_ path: String) {
        guard let folder = opendir(path) else {
            let reason = String(cString: strerror(errno))
            complaints.append((path, "cannot read \(path): \(reason)"))
            return
        }
        var names: [String] = []
        let start = path.hasSuffix("/") ? path : path + "/"
        while let entry = readdir(folder) {
            let (name, isUTF8) = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) {
                    (String(cString: $0), String(validatingCString: $0) != nil)
                }
            }
            if name.hasPrefix(".") { continue }
            if isUTF8 {
                names.append(name)
            } else if LabFiles.isLabFile(name) {
                complaints.append((start + name, "its name is not UTF-8: rename it"))
            }
        }
        closedir(folder)
        for name in names.sorted() {
            let isFolder = look(at: start + name)?.isFolder ?? false
            if isFolder || LabFiles.isLabFile(name) { add(start + name) }
        }
    }

    private func look(at path: String) -> (identity: Identity, isFolder: Bool)? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return (Identity(device: status.st_dev, number: status.st_ino), status.st_mode & S_IFMT == S_IFDIR)
    }
}
