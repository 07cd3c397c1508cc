import Arguments
import Text

/// Which commands start programs: those listed below, `check` for files that the user names, and `cc`, which starts a
/// compiler. No other command starts one, whatever a file says.
///
/// This is the only place that decides it: `CompiledPrograms` starts nothing without a pass, and nothing else makes a
/// pass.
struct ProgramGate: Sendable {
    /// The permission to start a program.
    struct Pass: Sendable { fileprivate init() {} }

    /// The source of the command line.
    enum Client: CaseIterable {
        case user
        /// A lesson, whose author may be a stranger.
        case lesson
        /// An editor that shows a file.
        case editor

        /// The first word of a command line that is not the user's. Help does not list it.
        var mark: String? {
            switch self {
            case .user: nil
            case .lesson: LessonCommand.mark
            case .editor: "__editor"
            }
        }
    }

    private static var starting: [any Action.Type] {
        [ExploreAction.self, RunAction.self, ReplayAction.self, PlayAction.self]
    }

    private enum Rule {
        case all
        /// Only programs of files that the user names.
        case named
        case none
    }

    private let rule: Rule
    private let client: Client
    private let command: String
    /// The tool's name, for messages.
    private let tool: String

    /// - Parameter words: the command line without the tool's name.
    init(_ words: [String], for client: Client, tool: String) {
        let name = words.first ?? ""
        command = name
        self.client = client
        self.tool = tool
        let check = CheckAction.declaration
        if client != .user {
            rule = .none
        } else if Self.starting.contains(where: { $0.declaration.name == name }) {
            rule = .all
        } else if name == check.name {
            // If no path is typed, a configuration file may still name some.
            let isTyped = check.roles(of: Array(words.dropFirst())).contains { role in
                if case .word = role { true } else { false }
            }
            rule = isTyped && !CheckAction.merges(words.dropFirst()) ? .named : .none
        } else {
            rule = .none
        }
    }

    /// - Parameters:
    ///   - program: the program's path.
    ///   - file: the path of the file that runs it. Nil: the program itself is named.
    ///   - isNamed: whether the user names the file, rather than a folder that it is in.
    /// - Throws: what is refused, where, and what the user can do instead.
    func pass(for program: String, runBy file: String? = nil, isNamed: Bool = true) throws(Complaint) -> Pass {
        switch rule {
        case .all: return Pass()
        case .named where isNamed: return Pass()
        case .named, .none: throw refusal(program, file)
        }
    }

    /// The permission to start a compiler, which is the user's alone to give.
    func passForCompiler(_ compiler: String) throws(Complaint) -> Pass {
        guard client == .user else {
            throw Complaint(
                "\(command) starts a program, '\(compiler.printable)', which a lesson or an editor may not: type the command in a shell"
            )
        }
        return Pass()
    }

    private func refusal(_ program: String, _ file: String?) -> Complaint {
        let reason =
            if let file { "\(file.printable) runs '\(program.printable)'" } else { "'\(program.printable)' is one" }
        let subject = (file ?? program).quotedAsPath
        switch client {
        case .lesson:
            return Complaint(
                "a lesson's command starts no programs, and \(reason): write what it shows in the .lab file")
        case .editor:
            return Complaint("for an editor nothing is started, and \(reason): '\(tool) check \(subject)' starts it")
        case .user: break
        }
        let start = "\(command) starts no programs, and \(reason)"
        switch command {
        case CheckAction.declaration.name:
            return Complaint(
                "\(command) starts programs only of files that are named, and \(reason): "
                    + "'\(tool) check \(subject)' starts it")
        case ExportAction.declaration.name, DiffAction.declaration.name:
            return Complaint("\(start): '\(tool) run \(subject) --save FILE' saves a run of it, to be given instead")
        default: return Complaint("\(start): '\(tool) explore \(subject)' starts it")
        }
    }
}
