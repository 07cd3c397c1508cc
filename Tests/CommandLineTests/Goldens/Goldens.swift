import Glibc
import Support
import Testing

/// The files of `Tests/Goldens`: what programs do, as data. `make goldens` writes them, and a difference is reviewed
/// before it is committed. What must be so, whatever the numbers, is asserted by tests.
enum Goldens {
    static let folder = GoldenFile.folder

    static let areWritten = GoldenFile.areWritten

    /// Compares a file, or writes it.
    static func compare(_ path: String, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        guard let difference = GoldenFile.difference(of: path, text) else { return }
        if areWritten { return try write(path, text, sourceLocation: sourceLocation) }
        Issue.record(Comment(rawValue: difference), sourceLocation: sourceLocation)
    }

    /// Writes a file, and says so.
    static func write(_ path: String, _ text: String, sourceLocation: SourceLocation) throws {
        try GoldenFile.write(path, text)
        Issue.record("\(path): written, not compared", severity: .warning, sourceLocation: sourceLocation)
    }

    static func reject(_ place: String, is now: String?, expected then: String?, sourceLocation: SourceLocation) {
        Issue.record(
            Comment(rawValue: GoldenFile.complaint(place, is: now, expected: then)), sourceLocation: sourceLocation)
    }
}

/// Writing is never mistaken for comparing.
@Suite struct GoldenModeTests {
    /// `make goldens` runs only the tests that write, and not this one.
    @Test func `goldens are compared in a run of all tests`() {
        #expect(getenv(GoldenFile.variable) == nil, "\(GoldenFile.variable) is for 'make goldens'")
    }
}
