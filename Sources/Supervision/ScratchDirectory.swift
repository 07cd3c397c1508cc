import Glibc

/// A directory for what one run writes, gone when the run has been looked at.
final class ScratchDirectory {
    let path: String

    init() throws(SupervisionFailed) {
        let root = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(root)/threadlab-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw SupervisionFailed("no scratch directory in \(root): \(String(cString: strerror(errno)))")
        }
        path = String(cString: made)
    }

    deinit {
        // Files only: nothing that a run can make there is a directory.
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
