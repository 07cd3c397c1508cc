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
}
