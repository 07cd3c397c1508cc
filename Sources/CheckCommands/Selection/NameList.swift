import Console
import Glibc
import Library
import Text

/// A text file with the name of a scenario in each line, perhaps followed by one of its failures: `labs/a.lab: race`.
/// Lines that begin with `#` are comments.
struct NameList {
    /// The maximum size of the file, in bytes.
    private static let greatestSize = 1 << 24
    /// The text between a name and a failure. No name contains it (`key`).
    private static let separator = ": "

    let path: String
    /// The names as they are listed, each once.
    let names: [String]
    /// By name: the failures that are listed with it. Empty: the name alone is listed.
    private let failures: [String: Set<String>]
    /// The names as a set.
    private let known: Set<String>
    /// By the absolute path of a file: the listed name that leads to it from the list's own folder.
    private let files: [String: String]

    /// - Parameters:
    ///   - content: the kind of content, for messages.
    ///   - option: the option that writes such a list.
    ///   - hasFailures: whether failures may be listed with the names.
    init(_ path: String, _ content: String, writtenBy option: String, hasFailures: Bool = false) throws(Complaint) {
        guard access(path, F_OK) == 0 || errno != ENOENT else {
            throw Complaint("'\(path.printable)' does not exist: \(option) creates it with \(content) of today")
        }
        let bytes = try InputFile(path).content(upTo: Self.greatestSize, "a list of \(content)")
        self.path = path
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map(\.trimmingBlanks).filter { !$0.isEmpty && !$0.hasPrefix("#") }
        let entries = lines.map { line -> (name: String, failure: String?) in
            hasFailures ? Self.entry(line) : (Self.key(String(line)), nil)
        }
        // A name that is also listed without a failure allows any failure.
        let withoutFailure = Set(entries.filter { $0.failure == nil }.map(\.name))
        failures = entries.reduce(into: [:]) { failures, entry in
            guard let failure = entry.failure, !withoutFailure.contains(entry.name) else { return }
            failures[entry.name, default: []].insert(failure)
        }
        known = Set(entries.map(\.name))
        var seen = Set<String>()
        let names = entries.map(\.name).filter { seen.insert($0).inserted }
        self.names = names
        let pairs = names.compactMap { name in Self.location(of: name, listedIn: path).map { ($0, name) } }
        files = Dictionary(pairs) { first, _ in first }
    }

    /// The absolute path to which a name leads from the list's folder, whether there is a file or not. Nil: there is no
    /// such folder.
    private static func location(of name: String, listedIn path: String) -> String? {
        let folder = path.placeOfPath ?? ""
        let file = name.isAbsolutePath ? name : folder + name
        return NamingFolder.absolute(file, foundFrom: file)
    }

    /// The name in a line, and the failure that follows it. Nil: no failure follows, so the whole line is a name.
    private static func entry(_ line: Substring) -> (name: String, failure: String?) {
        for range in line.ranges(of: separator) where FailureName.isName(line[range.upperBound...]) {
            return (key(String(line[..<range.lowerBound])), String(line[range.upperBound...]))
        }
        return (key(String(line)), nil)
    }

    /// The failures that are listed with a name. Empty: the name is listed alone.
    func failures(of name: String) -> Set<String> { failures[name] ?? [] }

    /// The absolute path to which a listed name leads from the list's folder.
    func location(of name: String) -> String? { Self.location(of: name, listedIn: path) }

    /// The name as it is listed. Nil: it is not listed.
    ///
    /// - Parameter file: the scenario's file, if it has one. The list may contain its path as it is typed, or from the
    ///   list's folder, because older versions did not name files from the repository's root.
    func entry(_ name: String, _ file: CheckedFile?) -> String? {
        let key = Self.key(name)
        if known.contains(key) { return key }
        guard let file, !names.isEmpty else { return nil }
        let condition = name.dropFirst(file.name.count)
        let typed = Self.key(file.path + condition)
        if known.contains(typed) { return typed }
        return file.location.flatMap { files[$0 + condition] }
    }

    /// The name, escaped so that no part of it looks like the end of a line or of a name.
    static func key(_ name: String) -> String {
        let name = String(name.path(below: ".") ?? name[...])
        // Each character is escaped alone, so that a long name is listed in full.
        return name.map { String($0).printable }.joined().replacing(separator, with: ":\\u{20}")
    }

    /// The content of the file that lists these names, each with its failures if there are any.
    package static func text(_ entries: [(name: String, failures: [String])], title: String) -> String {
        "# \(title)\n"
            + entries.flatMap { name, failures in
                let key = key(name)
                let shown = key.hasPrefix("#") ? "./" + key : key
                return failures.isEmpty ? [shown + "\n"] : failures.map { "\(shown)\(separator)\($0)\n" }
            }.joined()
    }
}

/// Finds strays: listed names that the check covers, but that belong to no scenario, such as those of files that were
/// removed.
struct StrayJudge {
    /// The scenarios that are checked here.
    let subjects: [CheckReports.Subject]
    /// The units that this command does not check.
    let others: [CheckUnit]
    let coverage: CheckScope.Coverage
    let folder: NamingFolder
    /// Whether this machine, if there are several, is the one that reports this name if it is a stray.
    let owns: (String) -> Bool
    let session: Session

    /// The strays among the list's names. A name with a memory model is one, too, if its scenario is not checked under
    /// that model.
    func strays(of list: NameList) -> [String] {
        var seen = Set(subjects.compactMap { list.entry($0.name, $0.file) })
        let mine = Set(subjects.map { Self.bare(NameList.key($0.name)) })
        let elsewhere = Set(others.map { list.entry($0.name, $0.file) ?? NameList.key($0.name) })
        return list.names.filter { name in
            let isMine = mine.contains(Self.bare(name)) || owns(name) && !elsewhere.contains(Self.bare(name))
            return isMine && !elsewhere.contains(name) && coverage.picks(name) && covers(name, list)
                && seen.insert(name).inserted
        }
    }

    /// The name without the memory model.
    private static func bare(_ name: String) -> String {
        name.firstRange(of: CheckSubject.conditionMark).map { String(name[..<$0.lowerBound]) } ?? name
    }

    /// Whether the check would cover the name, if there were such a scenario.
    private func covers(_ name: String, _ list: NameList) -> Bool {
        if session.namesScenario(name) || session.files.libraryProgram(name) != nil {
            return coverage.covers(word: name)
        }
        let places = [name, list.location(of: name).map { folder.name(of: $0) }]
        return places.contains { place in place.map { coverage.covers($0) } ?? false }
            || coverage.builtIn && !LabFiles.isLabFile(Self.bare(name))
    }
}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        var text = self
        while text.last?.isWhitespace == true { text.removeLast() }
        return text.drop(while: \.isWhitespace)
    }
}
