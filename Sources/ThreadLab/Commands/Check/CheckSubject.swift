import Arguments
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
    }

    static let filter = TypedOption.text(
        "filter", placeholder: "GLOB", "Check only scenarios whose name, or its last component, matches this pattern")

    /// `deadlock/ring`, or a file's path.
    let name: String
    let content: Content

    /// All subjects that the command line names, in its order, built-in scenarios first.
    static func all(paths: [String], builtIn: Bool, filter: String?, _ session: Session) throws(Complaint) -> [Self] {
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
        let files = search.files.filter { filter == nil || matches($0, filter!) }
        if let filter { subjects.removeAll { !matches($0.name, filter) } }
        subjects += files.map { file($0, session) }
        if let filter, subjects.isEmpty {
            throw Complaint("\(Self.filter.spelling): no scenario matches '\(filter.printable)'")
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
        guard LabFiles.isLabFile(path) else {
            return CheckSubject(name: path, content: .wrong("\(path.printable) is not a .lab file"))
        }
        do throws(Complaint) {
            return CheckSubject(name: path, content: .scenario(try session.files.configured(path, [])))
        } catch {
            return CheckSubject(name: path, content: .wrong(error.message.trimmed))
        }
    }

    /// Whether the name, or its last component, matches the pattern.
    private static func matches(_ name: String, _ pattern: String) -> Bool {
        let last = name.split(separator: "/").last.map(String.init) ?? name
        return fnmatch(pattern, name, 0) == 0 || fnmatch(pattern, last, 0) == 0
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
