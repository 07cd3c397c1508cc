import Glibc
import Text

/// What a command of this tool prints, and its exit code: for pages that show it, and for the tests of a course's commands.
struct ToolOutput {
    let text: String
    let code: Int32

    /// Longer output is cut off: it is for a page.
    private static let longest = 1 << 16

    /// Runs the tool without a terminal and without input.
    ///
    /// - Parameters:
    ///   - words: the command's words, without the tool's name.
    ///   - folder: where it runs.
    init(of words: [String], in folder: String) throws(Complaint) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Self.failure(errno) }
        let (reader, writer) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(reader) }
        let (child, number) = Self.spawn(words, folder, output: writer)
        close(writer)
        guard number == 0 else { throw Self.failure(number) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = read(reader, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { break }
            if bytes.count < Self.longest { bytes += chunk[..<count] }
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        text = String(decoding: bytes, as: UTF8.self)
        code = status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
    }

    private static func spawn(_ words: [String], _ folder: String, output: Int32) -> (child: pid_t, failure: Int32) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
        // Output for a narrow page, whatever the terminal is.
        let kept = ["PATH", "HOME", "TMPDIR", "LANG", "LC_ALL"].compactMap { (name: String) -> String? in
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        var environment = copies(kept + ["COLUMNS=74", "NO_COLOR=1"])
        // The shell changes the folder, and becomes the tool.
        var arguments = copies(["sh", "-c", "cd \"$0\" && exec \"$@\"", folder, executable] + words)
        defer { for text in environment + arguments { free(text) } }
        var child: pid_t = 0
        let failure = posix_spawn(&child, "/bin/sh", &actions, nil, &arguments, &environment)
        return (child, failure)
    }

    private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }

    private static var executable: String {
        guard let path = realpath("/proc/self/exe", nil) else { return "threadlab" }
        defer { free(path) }
        return String(cString: path)
    }

    private static func failure(_ number: Int32) -> Complaint {
        Complaint("cannot run a command: \(String(cString: strerror(number)))", .failure)
    }
}
