import Glibc

/// A file of `Tests/Goldens`, or a document made of them: compared by tests, and written by `make goldens`.
package enum GoldenFile {
    package static let folder = "Tests/Goldens"

    /// The environment variable that makes tests write.
    package static let variable = "THREADLAB_GOLDENS"

    /// Whether tests write what is, instead of comparing it with what was. A run of all tests then fails
    /// (`GoldenModeTests`).
    package static let areWritten = getenv(variable).map { String(cString: $0) } == "write"

    /// The first line in which a file differs from the text, as a complaint. Nil: it is the same.
    package static func difference(of path: String, _ text: String) -> String? {
        let saved = Repository.text(of: path)
        if text == saved { return nil }
        let now = text.split(separator: "\n", omittingEmptySubsequences: false)
        let then = (saved ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        let line = zip(now, then).prefix { $0 == $1 }.count
        return complaint(
            "\(path):\(line + 1)", is: line < now.count ? String(now[line]) : nil,
            expected: saved != nil && line < then.count ? String(then[line]) : nil)
    }

    package static func complaint(_ place: String, is now: String?, expected then: String?) -> String {
        """
        \(place)
        is:       \(now ?? "(nothing)")
        expected: \(then ?? "(nothing)")
        'make goldens' writes what is. Review the difference.
        """
    }

    package struct NotWritten: Error {
        package let path: String
    }

    package static func write(_ path: String, _ text: String) throws(NotWritten) {
        guard let file = fopen("\(Repository.root)/\(path)", "w") else { throw NotWritten(path: path) }
        let isWhole = text.isEmpty || fputs(text, file) >= 0
        guard fclose(file) == 0, isWhole else { throw NotWritten(path: path) }
    }
}
