import Glibc
import Library
import Text

/// The known failures of a project: a text file with a name per line. Lines that begin with `#` are comments.
struct Baseline {
    private static let greatestSize = 1 << 20

    private let path: String
    private let names: [String]
    private let known: Set<String>
    /// The files that the names lead to from the list's own folder, as absolute paths.
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
        let pairs = names.compactMap { name in Self.location(of: name, listedIn: path).map { ($0, name) } }
        files = Dictionary(pairs) { first, _ in first }
    }

    /// Where a name leads from the list's folder, whether there is something or not. Nil: there is no such folder.
    private static func location(of name: String, listedIn path: String) -> String? {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let file = name.hasPrefix("/") ? name : folder + name
        return NamingFolder.absolute(file, foundFrom: file)
    }

    /// As it is listed. Nil: it is not.
    private func entry(_ subject: CheckSubject) -> String? {
        let key = Self.key(subject.name)
        if known.contains(key) { return key }
        guard let file = subject.file else { return nil }
        // A list may have been written in another folder, or before names were those from the repository's root.
        let condition = subject.name.dropFirst(file.name.count)
        let typed = Self.key(file.path + condition)
        if known.contains(typed) { return typed }
        return file.location.flatMap { files[$0 + condition] }
    }

    /// The key of a name, in which nothing can be taken for the end of a line.
    private static func key(_ name: String) -> String {
        let name = name.hasPrefix("./") ? String(name.dropFirst(2)) : name
        // In pieces: a name is listed in full, however long it is.
        return name.map { String($0).printable }.joined()
    }

    func lists(_ subject: CheckSubject) -> Bool { entry(subject) != nil }

    /// Why a scenario that is listed, but passes, fails the check.
    var complaintAboutPass: String { "listed in \(path.printable), but passes: remove it there" }

    /// The names that belong to no subject of the check, though the check is about them, each with what is wrong.
    ///
    /// - Parameters:
    ///   - builtIn: whether all scenarios of this program are checked.
    ///   - filters: names that these leave out are not judged.
    func strays(
        from subjects: [CheckSubject], in scope: CheckScope, builtIn: Bool, filters: [String], _ session: Session
    ) -> [CheckSubject] {
        var seen = Set(subjects.compactMap { entry($0) })
        let strays = names.filter { name in
            CheckSubject.matches(name, filters) && isAbout(name, scope, builtIn, session) && seen.insert(name).inserted
        }
        return strays.map { name in
            CheckSubject(
                name: name,
                content: .stale("listed in \(path.printable), but is not among the scenarios checked: remove it there"))
        }
    }

    /// Whether the check would have checked it, if it existed.
    private func isAbout(_ name: String, _ scope: CheckScope, _ builtIn: Bool, _ session: Session) -> Bool {
        if session.namesScenario(name) || session.files.libraryProgram(name) != nil {
            return scope.covers(word: name, builtIn: builtIn)
        }
        let places = [scope.folder.location(of: name), Self.location(of: name, listedIn: path)]
        return places.contains { $0.map(scope.covers) ?? false } || builtIn && !LabFiles.isLabFile(name)
    }

    /// How many files are listed under other names than those by which a check in a repository knows them. Nil: none.
    func outdated(_ subjects: [CheckSubject], in folder: NamingFolder) -> Int? {
        guard folder.isRepository else { return nil }
        let count = subjects.count { subject in entry(subject).map { $0 != Self.key(subject.name) } ?? false }
        return count == 0 ? nil : count
    }

    /// A hint at the end of a check that has met outdated names.
    func remark(_ outdated: Int) -> String {
        let names = outdated == 1 ? "1 name" : "\(outdated) names"
        let option = CheckAction.command.options.newBaseline.spelling
        return "\(path.printable) has \(names) from another folder than the repository's root; "
            + "they still count, and \(option) writes them again"
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
