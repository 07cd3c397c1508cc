import Glibc
import Text
import Trace

/// A folder that is created with all its files or not at all.
struct NewFolder {
    let path: String

    /// Creates the folder, if the name is not taken. If a file cannot be written, nothing is left.
    ///
    /// - Parameter files: their paths in the folder, and what is in them.
    func create(_ files: [(path: String, text: String)]) throws(Complaint) {
        guard access(path, F_OK) != 0 else {
            throw Complaint("\(path.printable) already exists: choose another name")
        }
        let temporary = "\(path).\(getpid()).tmp"
        do throws(Complaint) {
            try make(temporary)
            for file in files { try write(file.text, "\(temporary)/\(file.path)", below: temporary) }
            guard rename(temporary, path) == 0 else { throw complaint(errno) }
        } catch {
            remove(temporary, files.map(\.path))
            throw error
        }
    }

    private func write(_ text: String, _ file: String, below root: String) throws(Complaint) {
        var folder = root
        for part in file.dropFirst(root.count + 1).split(separator: "/").dropLast() {
            folder += "/" + part
            if access(folder, F_OK) != 0 { try make(folder) }
        }
        try NewFile(path: file).create { $0.write(text) }
    }

    private func make(_ folder: String) throws(Complaint) {
        guard mkdir(folder, 0o755) == 0 else { throw complaint(errno) }
    }

    /// Removes the files that were written, and the folders that are empty then.
    private func remove(_ root: String, _ files: [String]) {
        for file in files {
            var parts = file.split(separator: "/")
            unlink("\(root)/\(file)")
            while !parts.isEmpty {
                parts.removeLast()
                rmdir("\(root)/\(parts.joined(separator: "/"))")
            }
        }
        rmdir(root)
    }

    private func complaint(_ failure: Int32) -> Complaint {
        Complaint("cannot create the folder \(path.printable): \(String(cString: strerror(failure)))")
    }
}
