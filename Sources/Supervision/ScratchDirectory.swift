import Glibc

/// A directory for the files of one run, removed when the run has been reviewed. It is created when something is
/// written: most runs write nothing, and then none is left behind even if threadlab is killed.
final class ScratchDirectory {
    let path: String

    init() throws(SupervisionFailed) {
        let root = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        guard access(root, W_OK | X_OK) == 0 else {
            throw SupervisionFailed("cannot create a scratch directory in \(root): \(String(cString: strerror(errno)))")
        }
        // The name cannot be guessed, so it cannot have been created by another user.
        path = "\(root)/threadlab-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    }

    deinit {
        // Only files: a run cannot create directories there.
        if let directory = opendir(path) {
            while let entry = readdir(directory) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                unlink("\(path)/\(name)")
            }
            closedir(directory)
        }
        rmdir(path)
    }
}
