import Glibc

/// Shows a long text on a terminal in a pager, as git does: the program in `PAGER`, by default `less`. A text that fits
/// the screen is printed.
struct Pager {
    /// Nil: no pager is used.
    private let command: String?
    private let rows: Int

    /// - Parameter rows: the height of the terminal. Nil: standard output is not a terminal.
    init(rows: Int?, isWanted: Bool) {
        let chosen = getenv("PAGER").map { String(cString: $0) } ?? "less"
        let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
        command = rows != nil && isWanted && !isDumb && !["", "cat"].contains(chosen) ? chosen : nil
        self.rows = rows ?? 0
    }

    /// Shows the text. Returns false if it must still be printed.
    func show(_ text: [UInt8]) -> Bool {
        guard let command, text.lazy.filter({ $0 == UInt8(ascii: "\n") }).count >= rows else { return false }
        // -F: exits if the text fits after all; -R: keeps colors; -X: leaves the text on the screen.
        setenv("LESS", "FRX", 0)
        // The pager handles Ctrl-C; and if the user leaves it early, the rest of the text is dropped.
        let interrupted = signal(SIGINT, SIG_IGN)
        let broken = signal(SIGPIPE, SIG_IGN)
        defer {
            signal(SIGINT, interrupted)
            signal(SIGPIPE, broken)
        }
        guard let (process, input) = start(command) else { return false }
        StandardOutput.write(text, to: input)
        close(input)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        let isMissing = status & 0x7F == 0 && (status >> 8) & 0xFF == 127
        return !isMissing
    }

    /// Starts the shell command with a pipe as its standard input. Nil: it cannot be started.
    private func start(_ command: String) -> (process: pid_t, input: Int32)? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        let (read, write) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(read) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, read, STDIN_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGINT)
        sigaddset(&defaults, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        let words = ["sh", "-c", command]
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        guard posix_spawnp(&process, "sh", &actions, &attributes, &arguments, environ) == 0 else {
            close(write)
            return nil
        }
        return (process, write)
    }
}
