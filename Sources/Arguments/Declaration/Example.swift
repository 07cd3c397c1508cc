/// An example of a command line.
package struct Example: Hashable, Sendable {
    /// What follows the tool's name: `run deadlock --seed 7`.
    package let line: String
    /// What it does, in one line.
    package let help: String

    package init(_ line: String, _ help: String) {
        self.line = line
        self.help = help
    }

    /// The same about a certain scenario: its name takes the place of `NAME`, and another variant that of `VARIANT`. Nil
    /// if there is no other variant and the line needs one.
    func about(_ scenario: String, variant: String?) -> Example? {
        var words: [String] = []
        for word in line.split(separator: " ") {
            switch word {
            case "NAME": words.append(scenario)
            case "VARIANT":
                guard let variant else { return nil }
                words.append(variant)
            default: words.append(String(word))
            }
        }
        return Example(words.joined(separator: " "), help)
    }
}
