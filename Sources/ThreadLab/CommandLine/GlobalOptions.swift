import Arguments

/// The options that may be given before any command, taken out of the command line.
struct GlobalOptions {
    /// Whether long output goes to a pager.
    private(set) var usesPager = true
    /// The remaining words. `--color` has been moved behind the command, if the command accepts it.
    private(set) var words: [String]
    /// What is wrong with the options that no command sees.
    private(set) var complaint: Complaint?

    private static let noPager = "--no-pager"

    /// - Parameter takesColour: whether the command of this name has the option `--color`.
    init(_ words: [String], takesColour: (String) -> Bool) {
        self.words = words
        let colour = removeLeadingOptions()
        if let colour, let command = self.words.first, takesColour(command) {
            self.words.insert("\(Terminal.colourOption.spelling)=\(colour)", at: 1)
        } else if let colour, Terminal.ColourChoice(rawValue: colour) == nil {
            let known = ValueKind.either(Terminal.ColourChoice.allCases.map(\.rawValue))
            complaint = Complaint("\(Terminal.colourOption.spelling) \(colour.printable): must be \(known)")
        }
        let end = self.words.firstIndex(of: "--") ?? self.words.count
        if self.words[..<end].contains(Self.noPager) {
            usesPager = false
            self.words = self.words[..<end].filter { $0 != Self.noPager } + self.words[end...]
        }
    }

    /// The value of the last `--color`.
    private mutating func removeLeadingOptions() -> String? {
        let spelling = Terminal.colourOption.spelling
        var colour: String?
        while let first = words.first {
            if first == Self.noPager {
                usesPager = false
            } else if first.hasPrefix(spelling + "=") {
                colour = String(first.dropFirst(spelling.count + 1))
            } else if first == spelling && words.count > 1 {
                words.removeFirst()
                colour = words[0]
            } else {
                break
            }
            words.removeFirst()
        }
        return colour
    }
}
