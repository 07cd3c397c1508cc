import Glibc
import Text

/// What a command of a lesson prints, and how it ends: for pages that show it, and for the linter of courses.
struct ToolOutput {
    let text: String
    /// Why no page should show it, as a sentence without its full stop. Nil: it is as it should be.
    let problem: String?

    /// Longer output is cut off: it is for a page.
    private static let longest = 1 << 16
    /// A command that takes longer is ended: a page waits for it.
    private static let longestTime = Duration.seconds(60)
    /// The time to end in an orderly way.
    private static let grace = Duration.seconds(5)

    /// Runs the tool without a terminal and without input.
    ///
    /// - Parameters:
    ///   - command: as the lesson shows it, with the tool's name.
    ///   - folder: where it runs.
    init(of command: String, in folder: String) throws(Complaint) {
        let words = [LessonCommand.mark] + command.shellWords.dropFirst()
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Self.failure(errno) }
        let (reader, writer) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(reader) }
        let (child, number) = Self.spawn(words, folder, output: writer)
        close(writer)
        guard number == 0 else { throw Self.failure(number) }
        var bytes: [UInt8] = []
        let hasEnded = Self.read(reader, into: &bytes, for: Self.longestTime)
        if !hasEnded {
            kill(child, SIGTERM)
            if !Self.read(reader, into: &bytes, for: Self.grace) { kill(child, SIGKILL) }
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        text = String(decoding: bytes, as: UTF8.self)
        problem = hasEnded ? Self.problem(status, text) : "the command takes longer than 60 seconds"
    }

    /// A finding is what a lesson may want to show; anything else is a mistake.
    private static func problem(_ status: Int32, _ text: String) -> String? {
        let code = status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
        guard code > ExitCode.finding.rawValue else { return nil }
        let first = text.split(separator: "\n").first.map { ": \($0.printable)" } ?? ""
        return "the command ends with exit code \(code)\(first)"
    }

    /// Reads to the end of the output.
    ///
    /// - Returns: whether it was reached in this time.
    private static func read(_ reader: Int32, into bytes: inout [UInt8], for time: Duration) -> Bool {
        let end = ContinuousClock.now + time
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { return false }
            var wanted = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
            // A second at most, so that the number fits.
            guard poll(&wanted, 1, left > .seconds(1) ? 1000 : 10) > 0 else { continue }
            let count = Glibc.read(reader, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return true }
            if bytes.count < longest { bytes += chunk[..<count] }
        }
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
