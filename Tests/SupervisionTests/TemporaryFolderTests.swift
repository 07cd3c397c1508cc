import Glibc
import Testing

@testable import Supervision

/// Each test in a process of its own, which forks.
@Suite struct TemporaryFolderTests {
    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Fills it with a file, a folder, and a link that leads out of it.
    private static func fill(_ folder: TemporaryFolder) {
        mkdir("\(folder.path)/below", 0o700)
        close(open("\(folder.path)/below/file", O_WRONLY | O_CREAT | O_EXCL, 0o600))
        symlink("/tmp", "\(folder.path)/link")
    }

    @Test func `a temporary folder is the user's alone, and is removed with all that is in it`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder("threadlab-test")
            Self.fill(folder)
            var status = stat()
            #expect(stat(folder.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
            folder.remove()
            #expect(!Self.exists(folder.path) && Self.exists("/tmp"))
        }
    }

    @Test(arguments: [SIGKILL, SIGTERM, SIGINT])
    func `a temporary folder goes with the process, however that ends`(signal: Int32) async {
        await #expect(processExitsWith: .success) { [signal] in
            var ends: [Int32] = [-1, -1]
            #expect(pipe(&ends) == 0)
            let child = try ForkedProcess.fork(for: "a test") { [ends] in
                close(ends[0])
                guard let folder = try? TemporaryFolder("threadlab-test") else { _exit(1) }
                Self.fill(folder)
                let path = Array(folder.path.utf8)
                _ = write(ends[1], path, path.count)
                // What runs the tests may ignore or block it.
                Glibc.signal(signal, SIG_DFL)
                var all = sigset_t()
                sigfillset(&all)
                sigprocmask(SIG_UNBLOCK, &all, nil)
                kill(getpid(), signal)
                _exit(2)
            }
            close(ends[1])
            var path: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 256)
            // What keeps the folder has the pipe too: its end is that of both.
            while case let count = read(ends[0], &chunk, chunk.count), count > 0 { path += chunk[..<count] }
            var status: Int32 = 0
            #expect(waitpid(child, &status, 0) == child && status & 0x7F == signal)
            let text = String(decoding: path, as: UTF8.self)
            #expect(text.contains("/threadlab-test-") && !Self.exists(text))
        }
    }
}
