import Arguments
import Authoring
import Reports
import Text
import Trace

/// `threadlab handout NAME`
enum HandoutAction: Action {
    struct Options: OptionGroup {
        let name: Listed<String>
        let svg, pdf: Listed<String?>
        let seed: Listed<UInt64?>
        let schedule, heading: Listed<String?>
        let insides: Listed<Bool>
        let rules: ListedGroup<RuleOptions>

        init(_ list: inout OptionList) {
            name = list.one("NAME", .scenario, "A program from 'list', a .lab file, or - for standard input")
            svg = list.file("svg", "Write the sheet into this file, and its solution beside it (sheet-solution.svg)")
            pdf = list.file("pdf", "Write both as the two pages of a PDF; needs the package librsvg2-bin")
            seed = list.seed("seed", "Seed of the run")
            schedule = list.schedule("Schedule of the run, as 'explore' prints it")
            heading = list.text(
                "heading", placeholder: "TEXT", "What the sheet is called, by default as the program is")
            insides = list.flag("insides", "Also give rows to the steps inside built objects")
            rules = list.group()
            list.exclude([[seed, schedule]])
        }
    }

    static let command = TypedCommand<Options>(
        "handout", "Make a sheet to print: a program, and a run of it to fill in",
        discussion: """
            The sheet has the program's text, without the comment before it and its 'expect' lines, and the lanes of one \
            run: the thread of each step is given, what the step does is a line to write on, and how the run ends is a \
            question. The solution is the same page with the answers. Both are A4: \
            --pdf writes them as one file, --svg as two.

            By default it is the run of a failure, if the program promises one and a search of a second finds it; else the \
            run of seed 1. A run that is too long for the page is shown in part.
            """,
        takesScenarioOptions: true,
        onlyReads: true,
        examples: [
            Example("handout lost-update --svg sheet.svg", "a run that loses an update, and its solution"),
            Example("handout bounded-buffer --capacity 2 --seed 3 --svg buffer.svg", "the run of a seed"),
        ],
        scenarioExamples: [Example("handout NAME --svg sheet.svg", "a sheet about one of its runs")])

    static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        let files = try HandoutFiles(svg: arguments.svg, pdf: arguments.pdf)
        var scenario = try session.configured(arguments.name, arguments)
        try scenario.requireScheduler(for: "handout")
        let rules = try arguments.rules.rules(for: &scenario)
        let run = try HandoutRun(scenario, rules, try choice(arguments))
        guard run.trace.threads.count <= Handout.mostThreads else {
            throw Complaint(
                "a sheet has lanes for at most \(Handout.mostThreads) threads, and this run has "
                    + "\(run.trace.threads.count): give the program's parameters smaller values")
        }
        var options = ReportOptions()
        options.findings = run.findings
        options.showsInsides = arguments.insides
        let replay = "\(session.program) \(scenario.replayArguments(run.trace.header))"
        let program = HandoutProgram(scenario, run.trace, title: arguments.heading, replay: replay)
        let handout = Handout(run.trace, program, options)
        try files.write(handout)
        let end = run.trace.outcome?.kind.rawValue ?? "open"
        var lines = ["\(files.names): \(handout.stepCount.grouped) steps, the end is '\(end)'"]
        lines += handout.notes + ["The run: \(replay)"]
        try StandardOutput.write(lines.joined(separator: "\n") + "\n")
        return .expected
    }

    private static func choice(_ arguments: TypedArguments<Options>) throws(Complaint) -> HandoutRun.Choice {
        if let text = arguments.schedule { return .schedule(try ScheduleText.read(text)) }
        return arguments.seed.map { .seed($0) } ?? .fitting
    }
}
