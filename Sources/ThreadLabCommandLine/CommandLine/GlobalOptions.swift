import Arguments
import Console

/// The options that are accepted before any command, taken out of the command line.
struct GlobalOptions {
    /// Whether long output goes to a pager.
    private(set) var usesPager = true
    /// The source of the command line, according to its first word, if that is a `mark` of a client.
    private(set) var client = ProgramGate.Client.user
    /// Whether the command line is one that a lesson shows. Then it may only read.
    var isOfLesson: Bool { client == .lesson }
    /// The remaining words. `--color` has been moved behind the command, if the command accepts it.
    private(set) var words: [String]
    /// What is wrong with a global option, if no command will report it.
    private(set) var complaint: Complaint?

    private static let noPager = "--no-pager"

    /// - Parameter takesColor: whether the command of this name has the option `--color`.
    init(_ words: [String], takesColor: (String) -> Bool) {
        self.words = words
        if let client = ProgramGate.Client.allCases.first(where: { $0.mark != nil && $0.mark == words.first }) {
            self.client = client
            self.words.removeFirst()
        }
        let color = removeLeadingOptions()
        if let color, let command = self.words.first, takesColor(command) {
            self.words.insert("--\(Terminal.colorOption)=\(color)", at: 1)
        } else if let color, Terminal.ColorChoice(rawValue: color) == nil {
            let known = ValueKind.either(Terminal.ColorChoice.allCases.map(\.rawValue))
            complaint = Complaint("--\(Terminal.colorOption) \(color.printable): must be \(known)")
        }
        // The words after `__complete` are what the user has typed so far, and are not changed.
        if let command = self.words.first, !command.hasPrefix("-"), !command.hasPrefix("_"), !takesColor(command) {
            removeColor()
        }
        let end = self.words.firstIndex(of: "--") ?? self.words.count
        if self.words[..<end].contains(Self.noPager) {
            usesPager = false
            self.words = self.words[..<end].filter { $0 != Self.noPager } + self.words[end...]
        }
    }

    /// Removes `--color`, which is accepted for a command whose output has no colors in any case.
    private mutating func removeColor() {
        let spelling = "--" + Terminal.colorOption
        for choice in Terminal.ColorChoice.allCases.map(\.rawValue) {
            words.removeAll { $0 == "\(spelling)=\(choice)" }
            while let place = words.firstIndex(of: spelling), words.dropFirst(place + 1).first == choice {
                words.removeSubrange(place...place + 1)
            }
        }
    }

    /// Removes the global options before the command. Returns the value of the last `--color`.
    private mutating func removeLeadingOptions() -> String? {
        let spelling = "--" + Terminal.colorOption
        var color: String?
        while let first = words.first {
            if first == Self.noPager {
                usesPager = false
            } else if first.hasPrefix(spelling + "=") {
                color = String(first.dropFirst(spelling.count + 1))
            } else if first == spelling && words.count > 1 {
                words.removeFirst()
                color = words[0]
            } else {
                break
            }
            words.removeFirst()
        }
        return color
    }
}
