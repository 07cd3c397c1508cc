import Glibc
import Support
import Testing

/// The files of `Tests/Goldens`: what programs do, as data. `make goldens` writes them, and a difference is reviewed
/// before it is committed. What must be so, whatever the numbers, is asserted by tests.
enum Goldens {
    static let folder = "Tests/Goldens"

    /// The environment variable that makes tests write.
    static let variable = "THREADLAB_GOLDENS"

    /// Whether tests write what is, instead of comparing it with what was. A run of all tests then fails
    /// (`GoldenModeTests`).
    static let areWritten = getenv(variable).map { String(cString: $0) } == "write"

    /// Compares a file, or writes it.
    static func compare(_ path: String, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let saved = Repository.text(of: path)
        if text == saved { return }
        if areWritten { return try write(path, text, sourceLocation: sourceLocation) }
        let now = text.split(separator: "\n", omittingEmptySubsequences: false)
        let then = (saved ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        let line = zip(now, then).prefix { $0 == $1 }.count
        reject(
            "\(path):\(line + 1)", is: line < now.count ? String(now[line]) : nil,
            expected: saved != nil && line < then.count ? String(then[line]) : nil, sourceLocation: sourceLocation)
    }

    /// Writes a file, and says so.
    static func write(_ path: String, _ text: String, sourceLocation: SourceLocation) throws {
        try Files.write("\(Repository.root)/\(path)", Array(text.utf8))
        Issue.record("\(path): written, not compared", severity: .warning, sourceLocation: sourceLocation)
    }

    static func reject(_ place: String, is now: String?, expected then: String?, sourceLocation: SourceLocation) {
        Issue.record(
            """
            \(place)
            is:       \(now ?? "(nothing)")
            expected: \(then ?? "(nothing)")
            'make goldens' writes what is. Review the difference.
            """, sourceLocation: sourceLocation)
    }
}

/// Writing is never mistaken for comparing.
@Suite struct GoldenModeTests {
    /// `make goldens` runs only the tests that write, and not this one.
    @Test func `goldens are compared in a run of all tests`() {
        #expect(getenv(Goldens.variable) == nil, "\(Goldens.variable) is for 'make goldens'")
    }
}
