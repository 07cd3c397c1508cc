import Reports

extension ReportOptions {
    /// Longer commands are hard to paste, and the system takes no argument over 128 KiB.
    private static var longestCommand: Int { 200 }

    /// Shows the command that replays the run, if it is short enough to be pasted.
    ///
    /// - Parameter advice: what to do otherwise.
    mutating func setReplay(_ command: String?, orElse advice: String) {
        guard let command, command.utf8.count > Self.longestCommand else {
            replay = command
            return
        }
        remarks.append("The schedule is too long for a command line: \(advice).")
    }
}
