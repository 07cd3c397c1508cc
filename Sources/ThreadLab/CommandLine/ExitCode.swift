/// What the process's exit code says. Scripts rely on it: it does not change.
enum ExitCode: Int32 {
    /// The outcome was an expected one, or the command did its work.
    case expected = 0
    /// A finding: the outcome was not an expected one, a file is not as it should be.
    case finding = 1
    /// The command line or an input file is wrong. Nothing was run; of a check, the other files were.
    case usage = 2
    /// threadlab itself failed.
    case failure = 3
    case interrupted = 130
}

/// Where several things were done, the worst of them counts.
extension ExitCode: Comparable {
    static func < (one: ExitCode, other: ExitCode) -> Bool { one.rawValue < other.rawValue }
}
