import CLab
import Glibc
import Text

/// A folder for what lasts no longer than a part of this process. If the process ends before, in whatever way, another one removes the folder:
/// not even a signal that cannot be caught leaves it behind.
///
/// One at a time: the process that keeps a second one would keep the first one's line open, too.
package final class TemporaryFolder {
    package let path: String
    private let keeper: pid_t
    /// The end of a pipe that nothing is written to: it is closed when this process, and those that it has forked, are gone.
    private let line: Int32

    /// Must be called while the process has one thread: it forks.
    ///
    /// - Parameter name: what the name of the folder begins with.
    package init(_ name: String) throws(WriteRefused) {
        let root = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(root)/\(name)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw WriteRefused("make a temporary folder in \(root.printable)", errno)
        }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.path = path
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            (keeper, line) = (-1, -1)
            return
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let child = clab_fork()
        if child == 0 {
            close(ends[1])
            Self.keep(path, until: ends[0])
        }
        close(ends[0])
        (keeper, line) = (child, ends[1])
    }

    /// Removes the folder with all that is in it. Call it once.
    package func remove() {
        Self.remove(path)
        if keeper > 0 {
            kill(keeper, SIGKILL)
            var status: Int32 = 0
            while waitpid(keeper, &status, 0) < 0 && errno == EINTR {}
        }
        if line >= 0 { close(line) }
    }

    // MARK: - The keeper's side

    private static func keep(_ path: String, until line: Int32) -> Never {
        // What ends the command, or its whole group, is not meant for this process.
        setsid()
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
        // What could be printed keeps no reader of the command's output waiting.
        let nowhere = open("/dev/null", O_RDWR)
        for descriptor in STDIN_FILENO...STDERR_FILENO where nowhere >= 0 { dup2(nowhere, descriptor) }
        var byte: UInt8 = 0
        while read(line, &byte, 1) < 0 && errno == EINTR {}
        remove(path)
        _exit(0)
    }

    /// Without following links.
    private static func remove(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            unlink(path)
            return
        }
        for name in names(in: path) { remove("\(path)/\(name)") }
        rmdir(path)
    }

    private static func names(in folder: String) -> [String] {
        guard let entries = opendir(folder) else { return [] }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }
}
