import Arguments
import Text

/// Decides whether the command may start a compiled program or a compiler. A `.lab` file can ask for that
/// (`run "./app"`), and its author may be a stranger. `ProgramGate+Commands` has the rules, by command.
///
/// The functions that start programs ask for a `Pass`, which only this gate makes.
package struct ProgramGate: Sendable {
    /// The permission to start a program.
    package struct Pass: Sendable { fileprivate init() {} }

    /// The source of the command line.
    package enum Client: CaseIterable {
        case user
        /// A lesson, whose author may be a stranger.
        case lesson
        /// An editor that shows a file.
        case editor

        /// The first word of a command line that is not the user's. Help does not list it.
        package var mark: String? {
            switch self {
            case .user: nil
            case .lesson: Self.lessonMark
            case .editor: "__editor"
            }
        }

        package static let lessonMark = "__lesson"
    }

    /// Which programs the command may start if the user has typed it.
    package enum Rule: Equatable {
        case all
        /// Only programs of files that the user names.
        case named
        case none(Instead)
    }

    /// What the message about a program that is not started advises.
    package enum Instead {
        /// To use `explore`.
        case explore
        /// To name the file, rather than a folder or nothing.
        case name
        /// To save a run of the program, and to give the command the saved run instead.
        case save
    }

    private let rule: Rule
    private let client: Client
    private let command: String
    /// The tool's name, for messages.
    private let tool: String

    /// - Parameters:
    ///   - command: the command's name.
    ///   - rule: the rule of the command if the user has typed it. No other client may start a program.
    ///   - tool: the tool's name.
    package init(_ command: String, _ rule: Rule, for client: Client, tool: String) {
        self.command = command
        self.client = client
        self.tool = tool
        self.rule = client == .user ? rule : .none(.explore)
    }

    /// The permission to start a compiled program.
    ///
    /// - Parameters:
    ///   - program: the program's path.
    ///   - file: the path of the `.lab` file that runs it. Nil: the command line names the program itself.
    ///   - isNamed: whether the user names the file, rather than a folder that it is in.
    /// - Throws: what is refused, where, and what the user can do instead.
    package func pass(for program: String, runBy file: String? = nil, isNamed: Bool = true) throws(Complaint) -> Pass {
        switch rule {
        case .all: return Pass()
        case .named where isNamed: return Pass()
        case .named, .none: throw refusal(program, file)
        }
    }

    /// The permission to start a compiler, which only a command that the user has typed gets.
    package func passForCompiler(_ compiler: String) throws(Complaint) -> Pass {
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
        return switch rule {
        case .all, .named, .none(.name):
            Complaint(
                "\(command) starts programs only of files that are named, and \(reason): "
                    + "'\(tool) check \(subject)' starts it")
        case .none(.save):
            Complaint("\(start): '\(tool) run \(subject) --save FILE' saves a run of it, to be given instead")
        case .none(.explore): Complaint("\(start): '\(tool) explore \(subject)' starts it")
        }
    }
}
