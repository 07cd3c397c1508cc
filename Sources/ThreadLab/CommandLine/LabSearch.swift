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
            let found = Self.name(of: entry, in: folder)
            if found.name.hasPrefix(".") { continue }
            if found.isUTF8 {
                names.append(found.name)
            } else if found.isFolder || LabFiles.isLabFile(found.name) {
                let path = start + found.name
                complaints.append((path, "cannot read \(path): its name is not UTF-8; rename it"))
            }
        }
        closedir(folder)
        for name in names.sorted() {
            let isFolder = look(at: start + name)?.isFolder ?? false
            if isFolder || LabFiles.isLabFile(name) { add(start + name) }
        }
    }

    /// The name of a folder's entry, and what a name that no path can express does not tell by itself.
    private static func name(
        of entry: UnsafeMutablePointer<dirent>, in folder: OpaquePointer
    ) -> (name: String, isUTF8: Bool, isFolder: Bool) {
        withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { bytes in
                if let name = String(validatingCString: bytes) { return (name, true, false) }
                var status = stat()
                let isKnown = fstatat(dirfd(folder), bytes, &status, 0) == 0
                return (String(cString: bytes), false, isKnown && status.st_mode & S_IFMT == S_IFDIR)
            }
        }
    }

    private func look(at path: String) -> (identity: Identity, isFolder: Bool)? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return (Identity(device: status.st_dev, number: status.st_ino), status.st_mode & S_IFMT == S_IFDIR)
    }
}
