import Authoring
import Glibc
import Judging
import LabExecution
import LabProgram
import LabSyntax
import Library
import Reports
import Text
import Trace

/// A subject of a check: a scenario, or a file that turns out not to contain one.
struct CheckSubject {
    enum Content {
        case scenario(any Runnable)
        /// How the text differs from what its task, or a task of its own, requires.
        case evading([CheckedScenario.Difference])
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
            throw Complaint("check: name .lab files, folders or what '\(session.program) list' shows, or use --builtin")
        }
        var subjects = builtIn ? session.scenarios.flatMap { variants(of: $0) } : []
        var search = LabSearch()
        for path in paths {
            let known = access(path, F_OK) == 0 ? [] : self.known(path, session)
            if known.isEmpty { search.add(path) } else { subjects += known }
        }
        subjects += search.complaints.map { CheckSubject(name: $0.path, content: .wrong($0.message)) }
        guard !subjects.isEmpty || !search.files.isEmpty else {
            throw Complaint("no .lab file in \(paths.map { "'\($0.printable)'" }.joined(separator: ", "))")
        }
        let files = search.files.filter { matches($0, filters) }
        subjects.removeAll { !matches($0.name, filters) }
        // Whatever the filters say.
        subjects += search.emptyFolders.map { CheckSubject(name: $0, content: .wrong("no .lab file in this folder")) }
        subjects += files.map { file($0, session) }
        guard !subjects.isEmpty else {
            let patterns = filters.map { "'\($0.printable)'" }.joined(separator: " or ")
            throw Complaint("\(CheckAction.command.options.filter.spelling): no scenario matches \(patterns)")
        }
        return subjects
    }

    /// What a word that is no path stands for: a scenario, a program of the library, or a chapter. Several may have the
    /// name.
    private static func known(_ word: String, _ session: Session) -> [Self] {
        let scenario = NamedScenario(word, among: session.scenarios)
        let scenarios = scenario.map { named in
            named.type.variants.filter { $0.word == named.variant ?? $0.word }.map { variant($0, of: named.type) }
        }
        let chapter = Library.chapters.first { $0.name == word }
        let programs =
            (session.files.libraryProgram(word).map { [$0.name] } ?? []) + (chapter?.programs.map { $0.name } ?? [])
        return (scenarios ?? []) + programs.map { Self.program($0, session) }
    }

    private static func variants(of type: any Scenario.Type) -> [Self] { type.variants.map { variant($0, of: type) } }

    private static func variant(_ choice: ParameterForm.Choice, of type: any Scenario.Type) -> Self {
        let scenario = type.init()
        let isSet = scenario.set(NamedScenario.parameter, to: choice.word)
        precondition(isSet, "\(type.name) has no variant \(choice.word)")
        return CheckSubject(
            name: NamedScenario.name(type, choice.word), content: .scenario(ScenarioProgram(scenario)))
    }

    private static func file(_ path: String, _ session: Session) -> Self {
        if path == InputFile.standardInput { return program(path, session) }
        var status = stat()
        if lstat(path, &status) != 0, errno == ENOENT || errno == ENOTDIR {
            return CheckSubject(name: path, content: .wrong(missing(path, session)))
        }
        guard LabFiles.isLabFile(path) else {
            return CheckSubject(name: path, content: .wrong("\(path.printable) is not a .lab file"))
        }
        return program(path, session)
    }

    private static func missing(_ path: String, _ session: Session) -> String {
        do throws(Complaint) {
            if session.namesScenario(path) { _ = try session.scenario(named: path) }
        } catch {
            return error.message
        }
        let meant = MeantWords(session: session).meant(by: path, instead: .scenario)
        let hint = meant ?? closest(to: path, among: session.known.names)
        return "no such file or folder" + (hint.map { "; did you mean '\($0)'?" } ?? "")
    }

    private static func program(_ name: String, _ session: Session) -> Self {
        do throws(Complaint) {
            if let (source, reading) = try session.files.submission(name), case .evading(let evasions) = reading {
                return CheckSubject(name: name, content: .evading(evasions.map { .init($0, source) }))
            }
            let scenario = try session.files.configured(name, [])
            let file = try session.files.file(name)
            let differences = ownDifferences(file.program)
            if !differences.isEmpty { return CheckSubject(name: name, content: .evading(differences)) }
            return CheckSubject(name: name, content: .scenario(scenario), source: file.program.source.bytes)
        } catch {
            return CheckSubject(name: name, content: .wrong(error.message.trimmed))
        }
    }

    /// The limits of the file's own task that it does not keep.
    private static func ownDifferences(_ program: Program) -> [CheckedScenario.Difference] {
        guard program.task != nil, let configuration = try? program.configured() else { return [] }
        return TaskReview(program, configuration).violations.map {
            .init(Evasion(.limit, $0.message, at: $0.span), program.source)
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

extension CheckedScenario.Difference {
    init(_ evasion: Evasion, _ source: SourceText) {
        let site = source.site(of: evasion.span.start)
        self.init(
            code: evasion.code.rawValue, message: evasion.message, line: site.line, column: site.column,
            text: evasion.text(in: source))
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
