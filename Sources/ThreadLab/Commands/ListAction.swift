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
        let format: Listed<OutputForm>

        init(_ list: inout OptionList) {
            chapter = list.oneOrNone(
                "CHAPTER", .word(.chapters), "Only the programs of this chapter")
            format = list.outputForm()
        }
    }

    static let command = TypedCommand<Options>(
        "list", "List the scenarios, and the .lab programs by chapter",
        examples: [Example("list", "everything"), Example("list conditions", "one chapter")])

    static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        let chapters = try arguments.chapter.map { [try named($0)] } ?? Library.chapters
        let scenarios = arguments.chapter == nil ? session.scenarios : []
        if arguments.format == .json {
            let files = try chapters.flatMap(\.programs).map { try session.files.file($0.name) }
            try StandardOutput.write { sink in writeJSON(scenarios, files, to: &sink) }
        } else {
            try StandardOutput.page(session.pager, text(scenarios, chapters, session))
        }
        return .expected
    }

    private static func named(_ name: String) throws(Complaint) -> Chapter {
        if let chapter = Library.chapters.first(where: { $0.name == name }) { return chapter }
        let names = Library.chapters.map(\.name)
        let hint = closest(to: name, among: names).map { "did you mean '\($0)'?" }
        throw Complaint(
            "no chapter is called '\(name.printable)': \(hint ?? "the chapters are " + names.joined(separator: ", "))")
    }

    // MARK: - For people

    private static func text(_ scenarios: [any Scenario.Type], _ chapters: [Chapter], _ session: Session) -> String {
        let layout = Layout(width: session.textWidth)
        let heading = "Scenarios, each with variants and parameters, by chapter of the guide:"
        let swift = parts(of: scenarios).map { part in
            layout.wrap(part.title + ":") + part.scenarios.flatMap { rows(of: $0, layout) }
        }
        let programs = "Programs (.lab) by chapter; in parentheses, what their runs can end in:"
        let sections =
            (swift.isEmpty ? [] : [layout.wrap(heading)] + swift) + [layout.wrap(programs)]
            + chapters.map { section($0, layout) }
        let program = session.program
        let end = layout.wrap("'\(program) show NAME' describes a scenario or program; '\(program) run NAME' runs it.")
        return (sections + [end]).map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    /// The scenarios of each part of the guide. Parts are in the order of their first scenarios.
    private static func parts(
        of scenarios: [any Scenario.Type]
    ) -> [(title: String, scenarios: [any Scenario.Type])] {
        var parts: [(title: String, scenarios: [any Scenario.Type])] = []
        for scenario in scenarios {
            let title = scenario.guide?.part ?? "Others"
            if let place = parts.firstIndex(where: { $0.title == title }) {
                parts[place].scenarios.append(scenario)
            } else {
                parts.append((title, [scenario]))
            }
        }
        return parts
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
