/// Names of POSIX signals that end a process, with Linux's numbers.
package enum SignalName {
    /// For example `SIGSEGV`; for a signal that has no name here, `signal 10`.
    package static func name(_ number: Int64) -> String { names[number]?.name ?? "signal \(number)" }

    /// What the signal usually means, as the end of a sentence.
    package static func explanation(_ number: Int64) -> String? { names[number]?.explanation }

    private static let swiftCheck =
        "a check in Swift failed: an index out of range, an overflow, an unwrapped nil"

    private static let names: [Int64: (name: String, explanation: String?)] = [
        1: ("SIGHUP", "the terminal was closed"),
        2: ("SIGINT", "Ctrl-C was pressed"),
        3: ("SIGQUIT", "Ctrl-\\ was pressed"),
        4: ("SIGILL", swiftCheck),
        5: ("SIGTRAP", swiftCheck),
        6: ("SIGABRT", "the program aborted"),
        7: ("SIGBUS", "it accessed memory that does not exist"),
        8: ("SIGFPE", "it divided by zero"),
        9: ("SIGKILL", "another process killed it, or the system ran out of memory"),
        11: ("SIGSEGV", "it accessed memory that it does not own: perhaps a freed object, or a stack overflow"),
        13: ("SIGPIPE", "it wrote to a pipe that has no reader"),
        14: ("SIGALRM", nil),
        15: ("SIGTERM", "another process asked it to end"),
        24: ("SIGXCPU", "it used up its processor time"),
        25: ("SIGXFSZ", "its file grew too large"),
        31: ("SIGSYS", "it made a system call that does not exist or is not allowed"),
    ]
}
