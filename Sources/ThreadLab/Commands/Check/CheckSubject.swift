import Authoring
import Glibc
import Text
import Trace

/// A subject of a check: a scenario, or a file that turns out not to contain one.
struct CheckSubject {
    enum Content {
        case scenario(any Runnable)
        /// What is wrong with the file.
        case wrong(String)
        /// Listed as a known failure, but not there. Why that is wrong.
        case stale(String)
    }

    /// `deadlock/ring`, or a file's path.
    let name: String
    let content: Content
    /// The text of its file. Nil: it is part of this program.
    var source: [UInt8]?

    /// All subjects that the command line names, in its order, built-in scenarios first.
    static func all(
        paths: [String], builtIn: Bool, filters: [String], _ session: Session
    ) throws(Complaint) -> [Self] {
        guard builtIn || !paths.isEmpty else {
            throw Complaint("check: name .lab files or folders, or use --builtin")
        }
        var subjects = builtIn ? session.scenarios.flatMap { variants(of: $0) } : []
        var search = LabSearch()
        for path in paths { search.add(path) }
        subjects += search.complaints.map { CheckSubject(name: $0.path, content: .wrong($0.message)) }
        guard !subjects.isEmpty || !search.files.isEmpty else {
            throw Complaint("no .lab file in \(paths.map { "'\($0.printable)'" }.joined(separator: ", "))")
        }
        let files = search.files.filter { matches($0, filters) }
        subjects.removeAll { !matches($0.name, filters) }
        subjects += files.map { file($0, session) }
        guard !subjects.isEmpty else {
            let patterns = filters.map { "'\($0.printable)'" }.joined(separator: " or ")
            throw Complaint("\(CheckAction.filter.spelling): no scenario matches \(patterns)")
        }
        return subjects
    }

    private static func variants(of type: any Scenario.Type) -> [Self] {
        type.variants.map { variant in
            let scenario = type.init()
            let isSet = scenario.set("variant", to: variant.word)
            precondition(isSet, "\(type.name) has no variant \(variant.word)")
            return CheckSubject(
                name: "\(type.name)/\(variant.word)", content: .scenario(ScenarioProgram(scenario)))
        }
    }

    private static func file(_ path: String, _ session: Session) -> Self {
        var status = stat()
        if lstat(path, &status) != 0, errno == ENOENT || errno == ENOTDIR {
            return CheckSubject(name: path, content: .wrong("no such file or folder"))
        }
        guard LabFiles.isLabFile(path) else {
            return CheckSubject(name: path, content: .wrong("\(path.printable) is not a .lab file"))
        }
        do throws(Complaint) {
            let scenario = try session.files.configured(path, [])
            let source = try session.files.file(path).program.source.bytes
            return CheckSubject(name: path, content: .scenario(scenario), source: source)
        } catch {
            return CheckSubject(name: path, content: .wrong(error.message.trimmed))
        }
    }

    /// Whether the name, or its end after a slash, matches one of the patterns, with or without its suffix.
    static func matches(_ name: String, _ patterns: [String]) -> Bool {
        if patterns.isEmpty { return true }
        let stem = LabFiles.isLabFile(name) ? String(name.dropLast(LabFiles.suffix.count)) : name
        return [name, stem].contains { name in
            let ends = name.indices.filter { name[$0] == "/" }.map { String(name[name.index(after: $0)...]) }
            return ([name] + ends).contains { end in patterns.contains { fnmatch($0, end, 0) == 0 } }
        }
    }
}

extension String {
    /// The text without its trailing line ends.
    fileprivate var trimmed: String {
        var text = self[...]
        while text.last?.isNewline == true { text.removeLast() }
        return String(text)
    }
}
