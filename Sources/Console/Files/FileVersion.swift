import Glibc

/// Identifies a file and its version: the inode, its size and the time of its last change. `--watch` compares two
/// values to see whether the file was changed or replaced in between.
package struct FileVersion: Equatable {
    private let device: dev_t
    private let number: ino_t
    private let size: off_t
    private let seconds: Int
    private let nanoseconds: Int

    /// Nil: there is no such file.
    package init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = status.st_dev
        number = status.st_ino
        size = status.st_size
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}
