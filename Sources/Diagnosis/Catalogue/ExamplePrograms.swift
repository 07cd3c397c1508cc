/// A `.lab` program that shows a finding, and the same program fixed, both in the form that `threadlab format` writes.
/// Tests run both.
package struct ExamplePrograms: Sendable {
    /// The finding of the broken program's run, if it is not the one that is explained.
    package let shows: FindingCode?
    /// What to know before running the programs.
    package let remark: String?
    package let broken: String
    package let fixed: String

    init(shows: FindingCode? = nil, remark: String? = nil, broken: String, fixed: String) {
        self.shows = shows
        self.remark = remark?.onOneLine
        self.broken = broken + "\n"
        self.fixed = fixed + "\n"
    }
}

extension String {
    /// The text with spaces in place of line breaks.
    var onOneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}
