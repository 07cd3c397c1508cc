/// A `.lab` program that shows a finding, and the same program fixed. Both in canonical form.
package struct ExamplePrograms: Sendable {
    /// The finding of the broken program's run. Nil: the one of which it is an example.
    package let shows: FindingCode?
    /// What to know before running it.
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
    var onOneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}
