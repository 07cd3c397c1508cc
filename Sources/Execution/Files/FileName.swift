/// What can name a file in the scratch directory of a run: nothing that leads out of it, and nothing too long for the
/// file system.
package enum FileName {
    /// The kernel's limit is 255. The draft of a lock has a longer name than the lock.
    private static let longest = 200

    /// - Throws: `FileFailed`.
    package static func check(_ name: String) throws {
        guard let problem = problem(name) else { return }
        throw FileFailed("\"\(name)\" cannot be the name of a file: \(problem)")
    }

    private static func problem(_ name: String) -> String? {
        if name.isEmpty { return "it is empty" }
        if name == "." || name == ".." { return "it is a directory" }
        if name.utf8.contains(UInt8(ascii: "/")) { return "it contains '/'" }
        if name.utf8.contains(0) { return "it contains a zero byte" }
        return name.utf8.count > longest ? "it is longer than \(longest) bytes" : nil
    }
}
