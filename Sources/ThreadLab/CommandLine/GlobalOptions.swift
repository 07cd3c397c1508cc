/// The options that may be given before any command.
struct GlobalOptions {
    /// Whether long output goes to a pager.
    private(set) var usesPager = true
    /// The remaining words. `--color` has been moved behind the command, if the command accepts it.
    private(set) var words: [String]

    /// - Parameter takesColour: whether the command of this name has the option `--color`.
    init(_ words: [String], takesColour: (String) -> Bool) {
        self.words = words
        var colour: String?
        while let first = self.words.first {
            if first == "--no-pager" {
                usesPager = false
            } else if first.hasPrefix("--color=") {
                colour = first
            } else if first == "--color" && self.words.count > 1 {
                self.words.removeFirst()
                colour = "--color=\(self.words[0])"
            } else {
                break
            }
            self.words.removeFirst()
        }
        if let colour, let command = self.words.first, takesColour(command) { self.words.insert(colour, at: 1) }
        let end = self.words.firstIndex(of: "--") ?? self.words.count
        if let index = self.words[..<end].firstIndex(of: "--no-pager") {
            usesPager = false
            self.words.remove(at: index)
        }
    }
}
