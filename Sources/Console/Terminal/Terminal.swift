import Arguments
import CLab
import Glibc
import Reports
import Supervision
import Trace

/// The properties of an output, which may be a terminal: its size, and whether it has colors and drawing characters.
package struct Terminal {
    package enum ColorChoice: String, CaseIterable { case auto, always, never }

    package static let colorOption = "color"

    /// The size that is assumed if the output does not have one.
    static let (usualRows, usualColumns) = (24, 80)

    private let output: Int32
    package let isTerminal: Bool

    /// - Parameter output: standard output, or standard error.
    init(_ output: Int32 = STDOUT_FILENO) {
        self.output = output
        isTerminal = isatty(output) == 1
    }

    /// The options of reports on this terminal.
    package func reportOptions(_ color: ColorChoice) -> ReportOptions {
        var options = ReportOptions(
            width: columns, color: usesColor(color), ascii: !drawsLines)
        options.rowWidth = isTerminal ? columns : nil
        return options
    }

    /// The width of the output, in columns.
    var columns: Int {
        let columns = Int(clab_terminal_columns(output))
        if columns > 0 { return columns }
        let given = Self.variable("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? min($0, 10_000) : nil }
        return given ?? Self.usualColumns
    }

    /// The height of the screen. Nil: the output is not a terminal.
    package var rows: Int? {
        guard isTerminal else { return nil }
        let rows = Int(clab_terminal_rows(output))
        return rows > 0 ? rows : Self.usualRows
    }

    /// Whether the output has colors. `--color` decides it, then `NO_COLOR`, then `CLICOLOR_FORCE`, then whether the
    /// terminal supports colors.
    package func usesColor(_ choice: ColorChoice) -> Bool {
        switch choice {
        case .always: return true
        case .never: return false
        case .auto:
            if let variable = Self.variable("NO_COLOR"), !variable.isEmpty { return false }
            if let variable = Self.variable("CLICOLOR_FORCE"), !variable.isEmpty, variable != "0" { return true }
            return isTerminal && !Self.isDumb
        }
    }

    /// Whether the terminal supports no control sequences.
    package static var isDumb: Bool { variable("TERM") == "dumb" }

    /// Whether reports can use drawing characters: the output is a file or a pipe, or the locale's encoding is UTF-8.
    package var drawsLines: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(Self.variable).first { !$0.isEmpty } ?? ""
        let name = locale.uppercased()
        return !isTerminal || name.contains("UTF-8") || name.contains("UTF8")
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

extension OptionList {
    package mutating func color() -> Listed<Terminal.ColorChoice> {
        choice(Terminal.colorOption, default: .auto, placeholder: "WHEN", "When to color the output")
    }
}

/// A line on standard error that shows the progress of the work. A terminal shows it rewritten in place; a terminal
/// that cannot do that shows a plain line from time to time; anything else shows nothing.
package struct StatusLine {
    private enum Form { case rewritten, plain, none }

    private let form: Form
    private let width: Int
    private let period: UInt64
    private let begin = RecordingClock.nanoseconds()
    private var lastTime: UInt64
    private var hasWritten = false

    /// The interval between plain lines, in nanoseconds.
    private static let longPeriod: UInt64 = 10_000_000_000

    /// - Parameters:
    ///   - period: the interval between updates, in nanoseconds. The first update comes after one interval.
    ///   - isWanted: whether there may be a line at all.
    package init(every period: UInt64 = 200_000_000, isWanted: Bool = true) {
        form = !isWanted || isatty(STDERR_FILENO) != 1 ? .none : Terminal.isDumb ? .plain : .rewritten
        let columns = Int(clab_terminal_columns(STDERR_FILENO))
        width = columns > 0 ? columns : Terminal.usualColumns
        self.period = form == .plain ? Self.longPeriod : period
        lastTime = begin
    }

    /// The time since the beginning, in nanoseconds.
    package var elapsed: UInt64 { RecordingClock.nanoseconds() - begin }

    /// Whether it is time for an update.
    package var isDue: Bool { form != .none && RecordingClock.nanoseconds() - lastTime >= period }

    package mutating func show(_ text: String) {
        lastTime = RecordingClock.nanoseconds()
        // The line is cut, not wrapped, because a wrapped line could not be rewritten.
        let line = text.printable.prefix(max(0, width - 1))
        StandardError.write(form == .plain ? "\(line)\n" : "\r\(line)\u{1B}[K")
        hasWritten = form == .rewritten
    }

    /// Erases the line.
    package mutating func clear() {
        if hasWritten { StandardError.write("\r\u{1B}[K") }
        hasWritten = false
    }
}

/// Shows a long text on a terminal in a pager, as git does: the program in `PAGER`, by default `less`. A text that fits
/// the screen is printed.
package struct Pager {
    /// The command that starts the pager. Nil: no pager is used.
    private let command: String?
    private let rows: Int
    var isUsed: Bool { command != nil }

    /// - Parameter rows: the height of the terminal. Nil: standard output is not a terminal.
    package init(rows: Int?, isWanted: Bool) {
        let chosen = getenv("PAGER").map { String(cString: $0) } ?? "less"
        let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
        command = rows != nil && isWanted && !isDumb && !["", "cat"].contains(chosen) ? chosen : nil
        self.rows = rows ?? 0
    }

    /// Shows the text. Returns false if it must still be printed.
    func show(_ text: [UInt8]) -> Bool {
        guard let command, text.lazy.filter({ $0 == UInt8(ascii: "\n") }).count >= rows else { return false }
        // The user may read for any time. After a signal, `EndingWatch` would end the command soon, and so the pager.
        EndingWatch.end()
        // Unless the user has set LESS: -F: exits if the text fits after all; -R: keeps colors; -X: leaves the text on
        // the screen.
        setenv("LESS", "FRX", 0)
        // The pager handles Ctrl-C. If the user leaves it early, the rest of the text is dropped.
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
        // The shell exits by itself (the low bits are 0) with the code 127 if it does not find the command.
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
