import Arguments
import Authoring
import Reports
import Text
import Trace

/// `threadlab page NAME --html FILE`
enum PageAction: Action {
    struct Options: OptionGroup {
        let name: Listed<String>
        let html: Listed<String?>
        let rules: ListedGroup<SavedRuleOptions>

        init(_ list: inout OptionList) {
            name = list.one("NAME", .scenario, "A program from 'list', a .lab file, or - for standard input")
            html = list.file("html", "The file to write: it works offline, in any browser")
            rules = list.group()
        }
    }

    static let command = TypedCommand<Options>(
        "page", "Write a small program as a page on which a reader steps its threads",
        discussion: """
            The page carries all states of the program and all moves between them. On it a reader chooses each step, goes \
            back, asks why a thread cannot step, tries to reach a deadlock or another failure in few steps, and predicts. \
            It needs a browser and nothing else: no installation, and no network.

            Only programs in .lab files have such pages, and only those with at most a few thousand states. For a \
            page of a single run, give --html to 'run', 'replay' or 'explore'.
            """,
        takesScenarioOptions: true,
        examples: [
            Example("page gate-lock --html gate-lock.html", "all states of a program"),
            Example("page bounded-buffer --capacity 1 --html buffer.html", "the same with a smaller buffer"),
        ])

    static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        guard let path = arguments.html else {
            throw Complaint("a page is a file: give its name with --html, such as --html page.html")
        }
        let scenario = try session.configured(arguments.name, arguments)
        let program = try PagedProgram(scenario, arguments.rules.rules(), session)
        let file = try NewFile(at: path, for: "the page", orElse: "name a file")
        let page = ProgramPage(try program.map(), of: program)
        try file.write { page.write(to: &$0) }
        try StandardOutput.write("\(path.printable): \(page.facts)\n")
        return .expected
    }
}
