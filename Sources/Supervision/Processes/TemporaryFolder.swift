import CLab
import Glibc
import Text

/// A temporary folder that does not remain: if this process ends without removing it, even by SIGKILL, another process,
/// the keeper, removes it. If the system refuses a keeper, the folder is made without one.
///
/// Only one can exist at a time: the keeper of a second folder would inherit the pipe of the first and keep it open.
package final class TemporaryFolder {
    package let path: String
    /// The keeper. -1: there is none.
    private let keeper: pid_t
    /// The write end of a pipe that the keeper reads. It is closed when this process and the processes that it forked
    /// are gone, and the keeper then removes the folder. -1: there is no pipe.
    private let writeEnd: Int32

    /// Must be called while the process has one thread: it forks.
    ///
    /// - Parameter name: the beginning of the folder's name.
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
            (keeper, writeEnd) = (-1, -1)
            return
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let child = clab_fork()
        if child == 0 {
            close(ends[1])
            Self.keep(path, until: ends[0])
        }
        close(ends[0])
        (keeper, writeEnd) = (child, ends[1])
    }

    /// Removes the folder with all that is in it. Call it once.
    package func remove() {
        Self.remove(path)
        if keeper > 0 {
            kill(keeper, SIGKILL)
            var status: Int32 = 0
            while waitpid(keeper, &status, 0) < 0 && errno == EINTR {}
        }
        if writeEnd >= 0 { close(writeEnd) }
    }

    // MARK: - The keeper's side

    /// Waits until the pipe is closed, and then removes the folder.
    private static func keep(_ path: String, until readEnd: Int32) -> Never {
        // Signals that end the command, or its whole process group, must not end this process.
        setsid()
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
        // Drops the command's standard descriptors. A program that reads the command's output would otherwise wait for
        // this process to end.
        let nowhere = open("/dev/null", O_RDWR)
        for descriptor in STDIN_FILENO...STDERR_FILENO where nowhere >= 0 { dup2(nowhere, descriptor) }
        var byte: UInt8 = 0
        while read(readEnd, &byte, 1) < 0 && errno == EINTR {}
        remove(path)
        _exit(0)
    }

    /// Removes a file, or a folder with its contents, without following links.
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
