import Arguments
import Machine
import Reports
import Supervision
import Text
import Trace

/// `threadlab graph TRACE`, `threadlab graph NAME`
enum GraphAction: Action {
    struct Options: OptionGroup {
        let name: Listed<String>
        let locks, waits, order, reads: Listed<Bool>
        let seed: Listed<UInt64?>
        let model: Listed<MemoryModel?>
        let schedule, dot, svg: Listed<String?>

        init(_ list: inout OptionList) {
            name = list.one(TraceSubject.name, .scenarioOrFile, TraceSubject.help)
            locks = list.flag("locks", "Which locks were taken while which others were held")
            waits = list.flag("waits", "What each thread waits for at the end of the run")
            order = list.flag("order", "What is ordered before the two accesses of a data race")
            reads = list.flag(
                "reads-from", "Which write each read of an atomic reads, and in which order the writes are")
            seed = list.seed("seed", "Seed of the run of a scenario, by default 1")
            schedule = list.schedule("Schedule of the run of a scenario")
            model = list.model("Which writes a read of an atomic may see in the run of a scenario")
            dot = list.file("dot", "Write the graph in Graphviz's language into this file")
            svg = list.file("svg", "Draw the graph into this file; needs Graphviz")
            list.exclude([[locks, waits, order, reads], [seed, schedule]])
        }
    }

    static let command = TypedCommand<Options>(
        "graph", "Draw a run's lock order, waiting threads, the order around a data race, or what its reads read",
        discussion: """
            The graph is printed in Graphviz's language unless a file is given. By default it is --waits after a deadlock or \
            time-out, --order after a data race, --reads-from under a weaker memory model, and otherwise --locks. What is wrong is red: a cycle, or two accesses \
            that nothing orders.

            A scenario is run under the scheduler, once; 'explore' prints the schedule of a run that fails.
            """,
        takesScenarioOptions: true,
        onlyReads: true,
        examples: [
            Example("graph deadlock --variant ordered --locks", "the order in which its threads take their locks"),
            Example("graph deadlock --schedule 0x2,2x2,1x3,2 --waits", "the threads of a deadlock"),
            Example("graph lost-update --order --dot race.dot", "what orders the steps around a race"),
        ],
        scenarioExamples: [Example("graph NAME --locks", "the order in which its threads take their locks")])

    static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        let files = try files(arguments)
        let trace = try trace(arguments, session)
        let kind = kind(arguments) ?? RunGraph.fitting(trace.outcome?.kind, trace.header)
        guard let graph = RunGraph(kind, of: trace) else {
            throw Complaint(
                "the run of \(trace.header.scenario.printable) has no data race, so there is no order to draw: "
                    + "'\(session.program) explore' finds a run that has one")
        }
        if let lack = graph.lack {
            StandardError.write(
                "\(session.program): \(lack); '\(session.program) explore' prints the schedule of a run in which one does\n"
            )
        }
        for file in files { try file.write { graph.write(to: &$0) } }
        if files.isEmpty { try StandardOutput.write { graph.write(to: &$0) } }
        return .expected
    }

    private static func files(_ arguments: TypedArguments<Options>) throws(Complaint) -> [GraphvizFile] {
        var files: [GraphvizFile] = []
        if let path = arguments.dot { files.append(try GraphvizFile(path, isDrawn: false)) }
        if let path = arguments.svg { files.append(try GraphvizFile(path, isDrawn: true)) }
        return files
    }

    private static func kind(_ arguments: TypedArguments<Options>) -> RunGraph.Kind? {
        if arguments.locks { return .locks }
        if arguments.waits { return .waits }
        if arguments.reads { return .reads }
        return arguments.order ? .order : nil
    }

    private static func trace(_ arguments: TypedArguments<Options>, _ session: Session) throws -> TraceDocument {
        let name = arguments.name
        guard TraceSubject.isScenario(name, in: session) else {
            if arguments.isGiven(\.seed) || arguments.isGiven(\.schedule) || arguments.isGiven(\.model) {
                throw Complaint("\(name.printable) is a saved run: omit --seed, --schedule and --model")
            }
            return try TraceSubject(file: name, in: session).trace
        }
        let mode: RunPlan.Mode =
            if let text = arguments.schedule { .replay(try ScheduleText.read(text)) } else {
                .controlled(seed: arguments.seed ?? 1)
            }
        let subject = try TraceSubject(
            running: try session.configured(name, arguments), mode, under: arguments.model)
        if let misfit = subject.misfit { throw Complaint("the schedule does not fit: \(misfit)") }
        return subject.trace
    }
}
