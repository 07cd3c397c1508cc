import Arguments
import Authoring
import LabExecution
import Library
import Text
import Trace

/// `threadlab list [CHAPTER]`
enum ListAction: Action {
    struct Options: OptionGroup {
        let chapter: Listed<String?>
        let long: Listed<Bool>
        let format: Listed<OutputForm>

        init(_ list: inout OptionList) {
            chapter = list.oneOrNone(
                "CHAPTER", .word(.chapters), "Only this chapter, with a line or two on each scenario or program")
            long = list.flag("long", "Show a line or two on each scenario and program of all chapters")
            format = list.outputForm()
        }
    }

    static let command = TypedCommand<Options>(
        "list", "List the scenarios and the .lab programs, by chapter",
        onlyReads: true,
        examples: [
            Example("list", "the chapters, and the names of the scenarios"),
            Example("list conditions", "the programs of a chapter"),
            Example("list synchronization", "the scenarios of a chapter of the guide, with their variants"),
        ])

    static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        var parts = GuidePart.all(of: session.scenarios)
        var chapters = Library.chapters
        if let name = arguments.chapter {
            parts.removeAll { $0.name != name }
            chapters.removeAll { $0.name != name }
            if parts.isEmpty && chapters.isEmpty { throw unknown(name, session) }
        }
        if arguments.format == .json {
            let files = try chapters.flatMap(\.programs).map { try session.files.file($0.name) }
            try StandardOutput.write { sink in writeJSON(parts.flatMap(\.scenarios), files, to: &sink) }
        } else {
            let isLong = arguments.long || arguments.chapter != nil
            let text = isLong ? long(parts, chapters, session) : short(parts, chapters, session)
            try StandardOutput.page(session.pager, text)
        }
        return .expected
    }

    private static func unknown(_ name: String, _ session: Session) -> Complaint {
        let names = Library.chapters.map(\.name) + GuidePart.all(of: session.scenarios).map(\.name)
        let meant = MeantWords(session: session).meant(by: name, instead: .term) ?? closest(to: name, among: names)
        let hint = meant.map { "did you mean '\($0)'?" } ?? "the chapters are " + names.joined(separator: ", ")
        return Complaint("no chapter is called '\(name.printable)': \(hint)")
    }

    // MARK: - For people

    /// A line for each chapter.
    private static func short(_ parts: [GuidePart], _ chapters: [Chapter], _ session: Session) -> String {
        let layout = Layout(width: session.textWidth)
        let program = session.program
        let scenarios = parts.map { ($0.name, $0.scenarios.map { $0.name }.joined(separator: ", ")) }
        let programs = chapters.map { (left: $0.name, right: "\($0.firstSentence) (\($0.programs.count))") }
        let sections = [
            layout.wrap("Programs (.lab) by chapter, and how many there are:") + layout.columns(programs),
            layout.wrap("Scenarios in Swift, each with broken and fixed variants, by chapter of the guide:")
                + layout.columns(scenarios),
            layout.wrap(
                "'\(program) list CHAPTER' lists what is in a chapter, '\(program) show NAME' describes a scenario or "
                    + "program, '\(program) run NAME' runs it. 'list --long' lists everything."),
        ]
        return sections.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    /// A line or two for each scenario and program.
    private static func long(_ parts: [GuidePart], _ chapters: [Chapter], _ session: Session) -> String {
        let layout = Layout(width: session.textWidth)
        let heading = "Scenarios, each with variants and parameters, by chapter of the guide:"
        let swift = parts.map { part in
            layout.wrap(part.title + ":") + part.scenarios.flatMap { rows(of: $0, layout) }
        }
        let programs = "Programs (.lab) by chapter; in parentheses, what their runs can end in:"
        let sections =
            (swift.isEmpty ? [] : [layout.wrap(heading)] + swift)
            + (chapters.isEmpty ? [] : [layout.wrap(programs)]) + chapters.map { section($0, layout) }
        let program = session.program
        let end = layout.wrap("'\(program) show NAME' describes a scenario or program; '\(program) run NAME' runs it.")
        return (sections + [end]).map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private static func rows(of scenario: any Scenario.Type, _ layout: Layout) -> [String] {
        layout.wrap("\(scenario.name): \(scenario.summary)\(mark(scenario))", indent: 2)
            + layout.wrap("variants: " + scenario.variants.map(\.word).joined(separator: ", "), indent: 4)
    }

    private static func mark(_ scenario: any Scenario.Type) -> String {
        scenario.realThreadsOnly == nil ? "" : " (on real threads only)"
    }

    private static func section(_ chapter: Chapter, _ layout: Layout) -> [String] {
        let rows = chapter.entries.map { entry in
            let fixed = entry.fixedPrograms.isEmpty ? "" : "; fixed by " + entry.fixedPrograms.joined(separator: ", ")
            return (left: entry.name, right: "\(entry.summary) (\(entry.ends)\(fixed))")
        }
        return layout.wrap("\(chapter.name): \(chapter.summary)".replacing("*", with: "")) + layout.columns(rows)
    }

    // MARK: - For scripts

    private static func writeJSON(_ scenarios: [any Scenario.Type], _ files: [LabFile], to sink: inout ByteSink) {
        sink.writeArray(separator: ",\n ") { json in
            for scenario in scenarios { json.object(ScenarioDescription(scenario).writeJSON) }
            for file in files { json.object(LabDescription(file).writeJSON) }
        }
        sink.endLine()
    }
}

extension Chapter {
    /// Of its summary.
    fileprivate var firstSentence: String {
        let end = summary.firstRange(of: ". ")?.lowerBound ?? summary.endIndex
        return (end == summary.endIndex ? summary : summary[..<end] + ".").replacing("*", with: "")
    }
}

/// The scenarios that follow a chapter of the guide, or another book.
struct GuidePart {
    let title: String
    fileprivate(set) var scenarios: [any Scenario.Type]

    /// The title as a word of the command line: `run-loops`.
    var name: String { title.lowercased().replacing(" ", with: "-") }

    /// In the order of their first scenarios.
    static func all(of scenarios: [any Scenario.Type]) -> [Self] {
        scenarios.reduce(into: []) { parts, scenario in
            let title = scenario.guide?.part ?? "Others"
            if let place = parts.firstIndex(where: { $0.title == title }) {
                parts[place].scenarios.append(scenario)
            } else {
                parts.append(Self(title: title, scenarios: [scenario]))
            }
        }
    }
}
