import Glibc
import Text

/// The known failures of a project: a text file with a name per line. Lines that begin with `#` are comments.
struct Baseline {
    private static let greatestSize = 1 << 20

    private let path: String
    private let names: [String]
    private let known: Set<String>
    /// The files that the names lead to from the list's own folder, without links: a check in another folder names them
    /// otherwise.
    private let files: [String: String]

    init(_ path: String) throws(Complaint) {
        let option = CheckAction.command.options.newBaseline.spelling
        guard access(path, F_OK) == 0 || errno != ENOENT else {
            throw Complaint("'\(path.printable)' does not exist: \(option) creates it with the failures of today")
        }
        let bytes = try InputFile(path).content(upTo: Self.greatestSize, "a list of known failures")
        self.path = path
        names = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map(\.trimmingBlanks).filter { !$0.isEmpty && !$0.hasPrefix("#") }.map { Self.key(String($0)) }
        known = Set(names)
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let pairs = names.compactMap { name in Self.file(folder + name).map { ($0, name) } }
        files = Dictionary(pairs) { first, _ in first }
    }

    /// Nil: it leads to none.
    private static func file(_ path: String) -> String? {
        let resolved = realpath(path, nil)
        defer { free(resolved) }
        return resolved.map { String(cString: $0) }
    }

    /// As it is listed. Nil: it is not.
    private func entry(_ name: String) -> String? {
        let key = Self.key(name)
        return known.contains(key) ? key : Self.file(name).flatMap { files[$0] }
    }

    /// As it is listed, however the path was written on the command line.
    static func key(_ name: String) -> String {
        let name = name.hasPrefix("./") ? String(name.dropFirst(2)) : name
        // In pieces: a name is listed in full, however long it is.
        return name.map { String($0).printable }.joined()
    }

    func lists(_ name: String) -> Bool { entry(name) != nil }

    /// Why a scenario that is listed, but passes, fails the check.
    var complaintAboutPass: String { "listed in \(path.printable), but passes: remove it there" }

    /// The names that belong to no subject of the check, each with what is wrong.
    ///
    /// - Parameter filters: names that these leave out are not judged.
    func strays(from subjects: [CheckSubject], filters: [String]) -> [CheckSubject] {
        var seen = Set(subjects.compactMap { entry($0.name) })
        return names.filter { CheckSubject.matches($0, filters) && seen.insert($0).inserted }.map { name in
            CheckSubject(
                name: name,
                content: .stale("listed in \(path.printable), but is not among the scenarios checked: remove it there"))
        }
    }

    /// The content of the file that lists these names.
    static func text(_ names: [String], program: String) -> String {
        let head = "# Known failures of '\(program) check': --baseline allows them, and fails on all others.\n"
        return head
            + names.map { name in
                let key = key(name)
                return (key.hasPrefix("#") ? "./" + key : key) + "\n"
            }.joined()
    }
}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        var text = self
        while text.last?.isWhitespace == true { text.removeLast() }
        return text.drop(while: \.isWhitespace)
    }
}
