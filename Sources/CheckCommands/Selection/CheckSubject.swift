import Authoring
import Console
import Glibc
import Judging
import LabExecution
import LabProgram
import LabSyntax
import Reports
import Text
import Trace

/// A subject of a check, whose file has been read: a scenario under one memory model, a compiled program that a
/// separate command checks, or the reason why a file cannot be checked.
package struct CheckSubject {
    enum Content {
        case scenario(any Runnable)
        /// A compiled program, or a `.lab` file that runs one. A separate command checks it.
        case compiled
        /// How the text breaks the rules of a task: the one of `--against`, or the one in the file itself.
        case evading([CheckedScenario.Difference])
        /// What is wrong with the file.
        case wrong(String)
    }

    /// Where a compiled program is executed.
    enum Start {
        /// In this process, because nothing else is checked.
        case here
        /// In the process of a separate command.
        case apart
        /// Nowhere: only names are listed.
        case never
    }

    /// `deadlock/ring`, or the file's path from the naming folder. `under` may add a memory model.
    let name: String
    var content: Content
    /// The file. Nil: the subject is part of this program, or standard input.
    var file: CheckedFile?
    /// The text of the `.lab` program, if `content` is a scenario from one. Nil: it is not.
    var source: [UInt8]?

    /// The memory model with which the name ends. Empty: none.
    var condition = ""

    /// The text between a name and the memory model.
    package static let conditionMark = " under "

    /// The subject of a unit, not yet under a memory model: see `under`.
    ///
    /// - Parameter start: where the unit's compiled program is executed, if it has one.
    init(_ unit: CheckUnit, _ session: Session, _ start: Start) {
        switch unit.content {
        case .file(let file): self = Self.file(file, session, start)
        case .variant(let type, let word):
            let scenario = type.init()
            let isSet = scenario.set(NamedScenario.parameter, to: word)
            precondition(isSet, "\(type.name) has no variant \(word)")
            self.init(name: unit.name, content: .scenario(ScenarioProgram(scenario, session.build(of: type))))
        case .program: self = Self.program(unit.name, nil, session, start)
        case .wrong(let message): self.init(name: unit.name, content: .wrong(message))
        }
    }

    init(name: String, content: Content, file: CheckedFile? = nil, source: [UInt8]? = nil, condition: String = "") {
        self.name = name
        self.content = content
        self.file = file
        self.source = source
        self.condition = condition
    }

    private static func file(_ file: CheckedFile, _ session: Session, _ start: Start) -> Self {
        let path = file.path
        if path == InputFile.standardInput { return program(path, nil, session, start) }
        var status = stat()
        if lstat(path, &status) != 0, errno == ENOENT || errno == ENOTDIR {
            return CheckSubject(name: file.name, content: .wrong(missing(path, session)), file: file)
        }
        if session.compiled.names(path) { return compiled(file, session, start) }
        guard LabFiles.isLabFile(path) else {
            let reason = CompiledFile.remedy(for: path, tool: session.program) ?? "is not a .lab file"
            return CheckSubject(name: file.name, content: .wrong("\(path.printable) \(reason)"), file: file)
        }
        return program(path, file, session, start)
    }

    /// A compiled program that the command line names itself. It should complete.
    private static func compiled(_ file: CheckedFile, _ session: Session, _ start: Start) -> Self {
        let apart = CheckSubject(name: file.name, content: .compiled, file: file)
        do throws(Complaint) {
            try session.requireNoTask(of: file.path)
            if start == .never { return apart }
            let pass = try session.gate.pass(for: file.path, isNamed: file.isNamed)
            guard start == .here else { return apart }
            let scenario = try session.compiled.program(file.path, "", pass: pass)
            return CheckSubject(name: file.name, content: .scenario(scenario), file: file)
        } catch {
            return CheckSubject(name: file.name, content: .wrong(error.message.trimmed), file: file)
        }
    }

    /// The message about a word that is neither a path nor a name.
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

    /// The subject of a `.lab` program.
    ///
    /// - Parameter file: nil for a program of the library, or on standard input.
    private static func program(
        _ path: String, _ file: CheckedFile?, _ session: Session, _ start: Start
    ) -> Self {
        let name = file?.name ?? path
        do throws(Complaint) {
            if let (source, reading) = try session.files.submission(path), case .evading(let evasions) = reading {
                return CheckSubject(name: name, content: .evading(evasions.map { .init($0, source) }), file: file)
            }
            let labFile = try session.files.file(path)
            let program = labFile.program
            if let call = program.call {
                let compiled = CheckSubject(name: name, content: .compiled, file: file)
                if start == .never { return compiled }
                let pass = try session.gate.pass(for: call.path, runBy: path, isNamed: file?.isNamed ?? true)
                guard start == .here else { return compiled }
                let scenario = try session.compiled.program(call, of: labFile, pass: pass)
                return CheckSubject(
                    name: name, content: .scenario(scenario), file: file, source: program.source.bytes)
            }
            let scenario = try session.files.configured(path, [])
            let differences = ownDifferences(program)
            if !differences.isEmpty { return CheckSubject(name: name, content: .evading(differences), file: file) }
            return CheckSubject(
                name: name, content: .scenario(scenario), file: file, source: program.source.bytes)
        } catch {
            return CheckSubject(name: name, content: .wrong(error.message.trimmed), file: file)
        }
    }

    /// How a file that contains a task exceeds the limits of that task itself.
    private static func ownDifferences(_ program: Program) -> [CheckedScenario.Difference] {
        guard program.task != nil, let configuration = try? program.configured() else { return [] }
        return TaskReview(program, configuration).violations.map {
            .init(Evasion(.limit, $0.message, at: $0.span), program.source)
        }
    }

    /// Whether the name, or its end after a slash, matches one of the patterns. The suffix `.lab` may be left out.
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
    package init(_ evasion: Evasion, _ source: SourceText) {
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
