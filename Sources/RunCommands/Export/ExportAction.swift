import Arguments
import Authoring
import Console
import Diagnosis
import Machine
import Reports
import Supervision
import Text
import Trace

/// `threadlab export NAME FILE`, `threadlab export TRACE FILE`: writes a run, or all states of a small program, as a
/// page, a drawing, a graph, a handout, or a trace for another viewer.
package enum ExportAction: Action {
    package struct Options: OptionGroup {
        let name: Listed<String>
        let file: Listed<String?>
        let kind: Listed<ExportKind?>
        let seed: Listed<UInt64?>
        let schedule, title: Listed<String?>
        let rows: ListedGroup<RowOptions>
        let rules: ListedGroup<RuleOptions>

        package init(_ list: inout OptionList) {
            name = list.one(TraceSubject.name, .scenarioOrFile, TraceSubject.help)
            file = list.oneOrNone("FILE", .file, "The file to write; without one, a graph is printed")
            kind = list.choice(
                "as", KnownWord("auto", "what the file's name says"), or: ExportKind.allCases.map { ($0, $0.help) },
                placeholder: "KIND", "What to write")
            seed = list.seed("seed", "Seed of the run of a scenario, by default 1")
            schedule = list.schedule("Schedule of the run of a scenario, as 'explore' prints it")
            title = list.text("title", "What a handout is called, by default as the program is")
            rows = list.group()
            rules = list.group()
            list.exclude([[seed, schedule]])
        }
    }

    package static let command = TypedCommand<Options>(
        "export", "Write pages, drawings, graphs, handouts, traces for viewers",
        discussion: """
            What is written follows from the end of the file's name, or from --as. Of a run, which is a saved trace or the run \
            of a seed or a schedule: 'run' (.html) is a page to step through it, 'lanes' (.svg) a drawing, 'film' (.svg) a picture \
            of each step, 'perfetto' (.pftrace) and 'shiviz' (.log) are for these viewers. A graph (.dot, or .svg if Graphviz is installed) \
            is one of 'locks', 'waits', 'order' and 'reads-from'; the one that fits the end of the run is the default, and what is wrong is red.

            Of a small .lab program, 'page' (.html) has all states and moves: a reader chooses each step, goes back, and asks \
            why a thread cannot step. 'states' is the same as a graph.

            A 'handout' has the program's text, and the lanes of one run with lines to write on; the solution is the second \
            page of a .pdf, or a second .svg. By default it is the run of a failure, if the program promises one.
            """,
        takesScenarioOptions: true,
        usual: [
            "as", "seed", "schedule", "title", "width", "all", "insides", "code", "max-steps", "spurious", "model",
        ],
        formerOptions: [
            "html": .line("export NAME page.html"), "svg": .line("export NAME drawing.svg"),
            "dot": .line("export NAME graph.dot"), "pdf": .line("export NAME sheet.pdf"),
            "locks": .option("--as locks"), "waits": .option("--as waits"), "order": .option("--as order"),
            "reads-from": .option("--as reads-from"), "heading": .option("--title"),
        ],
        examples: [
            Example("export gate-lock gate-lock.html", "a page with all states of a program"),
            Example("export failure.trace failure.html", "a page to step through a saved run"),
            Example("export lost-update --schedule 1x3,0,2x3,0x4 lanes.svg", "a drawing of one run"),
            Example("export deadlock --variant ordered --as locks", "the order in which its threads take their locks"),
            Example("export lost-update sheet.svg --as handout", "a run that loses an update, and its solution"),
        ],
        scenarioExamples: [Example("export NAME --as locks", "the order in which its threads take their locks")])

    package static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        let name = arguments.name
        let isProgram = TraceSubject.isScenario(name, in: session)
        if !isProgram, let option = arguments.runOptions.first {
            throw Complaint("\(name.printable) is a saved run: omit \(option.spelling)")
        }
        if let path = arguments.file, FileVersion(path) != nil, FileVersion(path) == FileVersion(name) {
            throw Complaint("export: '\(path.printable)' is what is exported: choose another name")
        }
        if arguments.file == InputFile.standardInput {
            throw Complaint("export: '-' is not a file to write: name one; without a name, a graph is printed")
        }
        let meant: ExportKind.Meant
        if let kind = arguments.kind {
            if let path = arguments.file { try kind.require(path) }
            meant = .kind(kind)
        } else {
            meant = try arguments.file.map(ExportKind.meant) ?? .fittingGraph
        }
        let isOfRun = !isProgram || arguments.seed != nil || arguments.schedule != nil
        if arguments.title != nil {
            guard case .kind(.handout) = meant else {
                throw Complaint("export: --title is for handouts: add --as handout")
            }
        }
        switch meant {
        // Only .lab programs can have a page of all states.
        case .fittingPage where isOfRun || !session.files.names(name): return try writeTrace(.run, arguments, session)
        case .fittingPage, .kind(.page): return try writePage(arguments, session)
        case .fittingGraph: return try writeGraph(nil, arguments, session)
        case .kind(let kind): return try write(kind, arguments, session)
        }
    }

    private static func write(
        _ kind: ExportKind, _ arguments: TypedArguments<Options>, _ session: Session
    ) throws -> ExitCode {
        switch kind {
        case .page: try writePage(arguments, session)
        case .handout: try writeHandout(arguments, session)
        case .states: try writeStates(arguments, session)
        case .locks, .waits, .order, .reads: try writeGraph(kind.graph, arguments, session)
        case .run, .lanes, .film, .perfetto, .shiviz: try writeTrace(kind, arguments, session)
        }
    }

    // MARK: - Of programs

    private static func writePage(_ arguments: TypedArguments<Options>, _ session: Session) throws -> ExitCode {
        let path = try file(arguments, .page)
        try requireProgram(arguments, .page, session)
        if arguments.seed != nil || arguments.schedule != nil {
            throw Complaint(
                "export: a page of all states has no --seed or --schedule: --as run writes a page of one run")
        }
        let scenario = try session.configured(arguments.name, arguments)
        let program = try PagedProgram(scenario, arguments.rules.saved.rules(), session)
        let file = try NewFile(at: path, for: "the page", orElse: "name a file")
        let page = ProgramPage(try program.map(), of: program)
        try file.write { page.write(to: &$0) }
        try StandardOutput.write("\(path.printable): \(page.facts)\n")
        return .expected
    }

    private static func writeStates(_ arguments: TypedArguments<Options>, _ session: Session) throws -> ExitCode {
        try requireProgram(arguments, .states, session)
        let graph = try GraphvizFile(arguments.file)
        var scenario = try session.configured(arguments.name, arguments)
        let rules = try arguments.rules.rules(for: &scenario)
        try StateGraph(scenario, rules).write(to: graph)
        return .expected
    }

    private static func writeHandout(_ arguments: TypedArguments<Options>, _ session: Session) throws -> ExitCode {
        let files = try HandoutFiles(try file(arguments, .handout))
        try requireProgram(arguments, .handout, session)
        var scenario = try session.configured(arguments.name, arguments)
        try scenario.requireScheduler(for: "a handout")
        let rules = try arguments.rules.rules(for: &scenario)
        let run = try HandoutRun(scenario, rules, try choice(arguments))
        let sheet = try HandoutSheet(
            run, of: scenario, title: arguments.title, showsInsides: arguments.rows.insides, tool: session.program)
        try files.write(sheet.handout)
        try StandardOutput.write("\(files.names): \(sheet.facts)\n")
        return .expected
    }

    private static func choice(_ arguments: TypedArguments<Options>) throws(Complaint) -> HandoutRun.Choice {
        if let text = arguments.schedule { return .schedule(try ScheduleText.read(text)) }
        return arguments.seed.map { .seed($0) } ?? .fitting
    }

    // MARK: - Of runs

    private static func writeTrace(
        _ kind: ExportKind, _ arguments: TypedArguments<Options>, _ session: Session
    ) throws -> ExitCode {
        let path = try file(arguments, kind)
        let sources: SourceScope = TraceSubject.isScenario(arguments.name, in: session) ? .ownRun : .savedTrace
        // The kind `run`, a page, has no form for another viewer.
        guard let form = kind.form else {
            let output = try TraceOutput(page: path, arguments.rows, sources, session)
            let subject = try subject(arguments, session)
            try output.savePage(subject.trace, of: subject.scenario)
            return try tell(path, subject.trace)
        }
        let export = try TraceExport(form, path, arguments.rows, session)
        let subject = try subject(arguments, session)
        try export.write(subject, sources)
        return try tell(path, subject.trace)
    }

    /// Prints which run the file contains.
    private static func tell(_ path: String, _ trace: TraceDocument) throws -> ExitCode {
        let seed = trace.header.seed.map { " of seed \($0)" } ?? ""
        let count = Names.count(trace.events.count, "event")
        try StandardOutput.write("\(path.printable): the run\(seed) of \(trace.header.scenario.printable), \(count)\n")
        return .expected
    }

    /// - Parameter kind: nil for the kind that fits the end of the run.
    private static func writeGraph(
        _ kind: RunGraph.Kind?, _ arguments: TypedArguments<Options>, _ session: Session
    ) throws -> ExitCode {
        let file = try GraphvizFile(arguments.file)
        let trace = try subject(arguments, session).trace
        guard let graph = RunGraph(kind ?? RunGraph.fitting(trace.outcome?.kind, trace.header), of: trace) else {
            throw Complaint(
                "the run of \(trace.header.scenario.printable) has no data race, so there is no order to draw: "
                    + "'\(session.program) explore' searches for a run that has one")
        }
        if let lack = graph.lack {
            StandardError.write(
                "\(session.program): \(lack); '\(session.program) explore' prints the schedule of a run in which one does\n"
            )
        }
        try file.write { graph.write(to: &$0) }
        return try arguments.file.map { try tell($0, trace) } ?? .expected
    }

    /// The run to export: a saved one, or one that is made now.
    private static func subject(_ arguments: TypedArguments<Options>, _ session: Session) throws -> TraceSubject {
        guard TraceSubject.isScenario(arguments.name, in: session) else {
            return try TraceSubject(file: arguments.name, in: session)
        }
        let mode: RunPlan.Mode =
            if let text = arguments.schedule { .replay(try ScheduleText.read(text)) } else {
                .controlled(seed: arguments.seed ?? 1)
            }
        var scenario = try session.configured(arguments.name, arguments)
        let rules = try arguments.rules.rules(for: &scenario)
        let subject = try TraceSubject(running: scenario, mode, rules)
        if let misfit = subject.misfit { throw Complaint("the schedule does not fit: \(misfit)") }
        return subject
    }

    // MARK: - Requirements

    /// The path of the file to write. Only a graph can be printed instead.
    private static func file(_ arguments: TypedArguments<Options>, _ kind: ExportKind) throws(Complaint) -> String {
        if let path = arguments.file { return path }
        throw Complaint(
            "export --as \(kind.rawValue): name the file to write, such as \(kind.rawValue)\(kind.endings[0])")
    }

    private static func requireProgram(
        _ arguments: TypedArguments<Options>, _ kind: ExportKind, _ session: Session
    ) throws(Complaint) {
        guard !session.namesProgram(arguments.name) else { return }
        throw Complaint("export --as \(kind.rawValue): \(arguments.name.printable) is a saved run: name a program")
    }
}

extension TypedArguments<ExportAction.Options> {
    /// The given options that control the run of a scenario.
    fileprivate var runOptions: [Option] {
        given.filter { [options.seed.name, options.schedule.name].contains($0.name) } + rules.given
    }
}
