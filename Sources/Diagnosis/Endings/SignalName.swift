/// The names of the POSIX signals that end a process, with Linux's numbers.
package enum SignalName {
    /// For example `SIGSEGV`.
    package static func name(_ number: Int64) -> String { names[number]?.name ?? "signal \(number)" }

    /// What the signal usually means, as the end of a sentence.
    package static func explanation(_ number: Int64) -> String? { names[number]?.explanation }

    private static let swiftCheck =
        "one of Swift's own checks failed: an index out of range, an overflow, a nil that was unwrapped"

    private static let names: [Int64: (name: String, explanation: String?)] = [
        1: ("SIGHUP", "the terminal was closed"),
        2: ("SIGINT", "Ctrl-C was pressed"),
        3: ("SIGQUIT", "Ctrl-\\ was pressed"),
        4: ("SIGILL", swiftCheck),
        5: ("SIGTRAP", swiftCheck),
        6: ("SIGABRT", "the program gave itself up"),
        7: ("SIGBUS", "it touched memory that is not there"),
        8: ("SIGFPE", "it divided by zero"),
        9: ("SIGKILL", "somebody killed it, or the system ran out of memory"),
        11: ("SIGSEGV", "it touched memory that is not its own: a freed object perhaps, or a stack that overflowed"),
        13: ("SIGPIPE", "nobody reads what it writes"),
        14: ("SIGALRM", nil),
        15: ("SIGTERM", "somebody asked it to end"),
        24: ("SIGXCPU", "it used up its processor time"),
        25: ("SIGXFSZ", "its file grew too large"),
        31: ("SIGSYS", "it made a system call that does not exist or is not allowed"),
    ]
}
