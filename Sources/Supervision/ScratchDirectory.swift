import Glibc

/// The place of a directory for what one run writes, gone when the run has been looked at. It is made when something is
/// written: most runs write nothing, and then none is left behind even if threadlab is killed.
final class ScratchDirectory {
    let path: String

    init() throws(SupervisionFailed) {
        let root = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        guard access(root, W_OK | X_OK) == 0 else {
            throw SupervisionFailed("cannot create a scratch directory in \(root): \(String(cString: strerror(errno)))")
        }
        // Nobody can guess it, so nobody else can have made it.
        path = "\(root)/threadlab-\(String(UInt64.random(in: .min ... .max), radix: 36))"
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
