import Arguments
import BuildCommands
import CheckCommands
import CompiledExecution
import Console
import Course
import RunCommands
import Scenarios
import SearchCommands
import Supervision
import TeachCommands
import Text

/// The command line with all commands: parses the words, answers `help` and completion, and runs the command. It is the
/// only file that refers to all commands, and none of them refers to it.
struct CommandLineTool {
    private let session: Session
    private let global: GlobalOptions

    init(_ session: Session, _ global: GlobalOptions) {
        var session = session
        session.pager = Pager(rows: session.terminal.rows, isWanted: global.usesPager)
        self.session = session
        self.global = global
    }

    /// The options that are accepted before any command, and the remaining words.
    static func globalOptions(_ words: [String]) -> GlobalOptions {
        let color = Terminal.colorOption
        return GlobalOptions(words) { name in
            actions.contains { $0.declaration.name == name && $0.declaration.ownOptions.contains { $0.name == color } }
        }
    }

    /// All commands under titles that say what they are for, in the order of the help text.
    private static var groups: [(title: String, actions: [any Action.Type])] {
        [
            (
                "See",
                [
                    RunAction.self, ReplayAction.self, PlayAction.self, TraceAction.self, DiffAction.self,
                    CostsAction.self,
                ]
            ),
            ("Search", [ExploreAction.self, LitmusAction.self, WorkAction.self]),
            ("Check", [CheckAction.self]),
            ("Teach", [ShowAction.self, ExplainAction.self, LearnAction.self]),
            ("Build", [NewAction.self, FormatAction.self, LanguageAction.self, CompileAction.self]),
            ("Share", [ExportAction.self]),
        ]
    }

    private static var actions: [any Action.Type] { groups.flatMap(\.actions) }

    /// For each former name of a command, what to type instead.
    private static func formerNames(_ program: String) -> [String: String] {
        [
            "list": "'\(program) show'", "diagnose": "'\(program) trace FILE --findings'",
            "page": "'\(program) export NAME page.html'", "graph": "'\(program) export NAME graph.dot'",
            "handout": "'\(program) export NAME sheet.pdf'", "grade": "'\(program) learn grade'",
            "merge": "'\(program) check --merge RESULT...', and of a search '\(program) work --merge RESULT...'",
            "c++": "'\(program) cc -- g++ ARGUMENTS'", "completion": "'\(program) --completion SHELL'",
        ]
    }

    /// Names that other tools use for a command, and that are accepted, too.
    private static let aliases = ["fmt": FormatAction.declaration.name]

    static var known: KnownCommands {
        KnownCommands(
            pages: actions.map { $0.declaration.name } + ["help"] + HelpPages.words.map(\.text),
            lessons: { LearnAction.words })
    }

    /// The names of options of commands that also accept scenario parameters: a parameter of the same name cannot be
    /// set there.
    static var ownOptions: Set<String> {
        Set(actions.map { $0.declaration }.filter(\.takesScenarioOptions).flatMap(\.ownOptions).map(\.name))
    }

    /// The declaration of the tool, for parsing and help. Examples use only scenarios that this program has: if it
    /// lacks a built-in scenario, examples with it are left out, and if it has its own, examples about one of these are
    /// added (`OwnScenario`).
    private var tool: Tool {
        let program = session.program
        let missing = Catalogue.builtIn.map { $0.name }.filter { name in !session.scenarios.contains { $0.name == name }
        }
        let own = OwnScenario(session.scenarios)
        return Tool(
            program, version: Session.version, summary: Self.summary,
            pages: HelpPages.words, parts: Set(HelpPages.parts.keys),
            commands: Self.actions.map { action in
                let command = action.declaration.omittingExamples { words in
                    missing.contains { words.contains(Substring($0)) }
                }
                return own.map { command.withExamples(about: $0.name, variant: $0.variant) } ?? command
            },
            groups: Self.groups.map { ($0.title, $0.actions.map { $0.declaration.name }) },
            formerNames: Self.formerNames(program))
    }

    private static let summary = "see, test and teach how threads behave"

    private var firstScreen: FirstScreen {
        let own = OwnScenario(session.scenarios)
        return FirstScreen(
            program: session.program, summary: Self.summary, example: own?.name ?? "deadlock",
            plot: own == nil ? "two threads that wait for each other forever" : "runs it on real threads")
    }

    /// The beginning of the manual page.
    private static let description = [
        """
        threadlab runs small concurrent programs and prints traces: what each thread did, how the run ended, and why. The \
        same program runs on real POSIX threads, or controlled, where threads take one step at a time and a seed or a \
        schedule repeats a run exactly. 'explore' searches all schedules, 'check' holds programs to what they expect.
        """,
        """
        Programs come with threadlab ('show'), are files that end in .lab ('help language' is their manual), or arrive on \
        standard input, which is called '-'.
        """,
    ]

    /// Runs the command, and reports errors.
    func run() -> ExitCode {
        do { return try answer() } catch {
            // Errors in a file are reported before errors in the options that the file declares.
            if let error = error as? ArgumentError {
                return session.complain(session.files.complaint?.message ?? message(of: error), .usage)
            }
            return session.complain(error)
        }
    }

    /// The message for an error. If the unknown word may be an argument for a compiled program or a compiler, the
    /// message says that such arguments follow two hyphens.
    private func message(of error: ArgumentError) -> String {
        switch error {
        case .unknownOption(let option, let context, _, _)
        where CompileAction.declaration.name == context && !global.words.contains("--"):
            let call = global.words.dropFirst().map(\.quotedForShell).joined(separator: " ")
            return "unknown option '\(option.printable)' for '\(context)': the compiler and its arguments follow '--': "
                + "'\(session.program) \(context) -- \(call.printable)'"
        case .unknownOption(let option, CheckAction.declaration.name, _, _)
        where option == "--\(CompiledProgram.argumentsName)":
            return "'check' gives a program no arguments: write a .lab file with run \"./app\"(arguments: \"…\")"
        case .unknownOption(let word, let context, let suggestion, let elsewhere)
        where suggestion == nil && elsewhere.isEmpty:
            return error.message + hint(word, after: context)
        case .surplus(let word, let context): return error.message + hint(word, after: context)
        default: return error.message
        }
    }

    /// The addition to the message about an unknown word. Empty: no compiled program is named before the word.
    ///
    /// - Parameter context: the command, and what is named before the word.
    private func hint(_ word: String, after context: String) -> String {
        let commands = Self.actions.map { $0.declaration }.filter(\.takesScenarioOptions).map(\.name)
        for command in commands {
            guard context.hasPrefix(command + " ") else { continue }
            let program = String(context.dropFirst(command.count + 1))
            guard session.compiled.names(program) else { continue }
            return
                ": the program's own arguments follow '--': '\(session.program) \(command) \(program.quotedAsPath) -- "
                + "\(word.quotedForShell.printable)'"
        }
        return ""
    }

    /// The words, with the command in place of an alias, and with the options of `check` that the folder's
    /// configuration contains. Lessons use no configuration.
    private func configured(_ words: [String]) throws(Complaint) -> [String] {
        if let first = words.first, let name = Self.aliases[first] { return [name] + words.dropFirst() }
        let command = CheckAction.declaration
        guard words.first == command.name, !global.isOfLesson, !CheckAction.merges(words.dropFirst()) else {
            return words
        }
        return [command.name] + (try CheckConfiguration.complete(Array(words.dropFirst()), for: command))
    }

    /// Parses the words, and does what they ask for.
    private func answer() throws -> ExitCode {
        if let complaint = global.complaint { throw complaint }
        if global.isOfLesson { try LessonCommand.requireOwnNames(global.words) }
        let known = session.known
        if global.words.isEmpty {
            try StandardOutput.page(session.pager, firstScreen.text(width: session.textWidth))
            return .expected
        }
        switch try tool.parse(try configured(global.words), scenarios: known) {
        case .help(.page(let page)):
            guard let text = HelpPages.text(of: page, width: session.textWidth) else {
                preconditionFailure("the page \(page) is not embedded")
            }
            try StandardOutput.page(session.pager, text)
        case .help(let topic):
            try StandardOutput.page(
                session.pager,
                tool.helpText(for: topic, scenarios: known, width: session.textWidth))
        case .manPage:
            try StandardOutput.write(tool.manPage(Self.description, exitCodes: ExitCode.meanings))
        case .version:
            try StandardOutput.write("threadlab \(Session.version)\n")
        case .completionScript(let script):
            try StandardOutput.write(script.text(tool: session.program))
        case .complete(let words):
            for completion in tool.completions(of: words, scenarios: known) {
                try StandardOutput.write(completion.line + "\n")
            }
        case .command(let arguments):
            let action = Self.actions.first { $0.declaration.name == arguments.command }!
            if global.isOfLesson {
                try LessonCommand.requireReading(
                    arguments, of: action.declaration, among: Self.actions.map { $0.declaration })
            }
            return try action.run(arguments, in: session)
        }
        return .expected
    }
}
