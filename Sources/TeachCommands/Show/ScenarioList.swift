import Arguments
import Authoring
import Console
import LabExecution
import Library
import Text
import Trace

/// The list of scenarios and `.lab` programs by chapter that `show` prints, of all chapters or of one.
struct ScenarioList {
    private let session: Session
    private let parts: [GuidePart]
    private let chapters: [Chapter]

    /// The list of all scenarios and programs.
    init(_ session: Session) {
        self.session = session
        parts = GuidePart.all(of: session.scenarios)
        chapters = Library.chapters
    }

    /// The list of a chapter. Nil: no chapter has this name.
    init?(chapter name: String, _ session: Session) {
        self.session = session
        parts = GuidePart.all(of: session.scenarios).filter { $0.name == name }
        chapters = Library.chapters.filter { $0.name == name }
        if parts.isEmpty && chapters.isEmpty { return nil }
    }

    /// The chapter whose name is most similar to this one. Nil: none is similar, or the name of a scenario or program
    /// is similar, too.
    static func closest(to name: String, _ session: Session) -> String? {
        guard Text.closest(to: name, among: session.known.names) == nil else { return nil }
        let chapters = Library.chapters.map(\.name) + GuidePart.all(of: session.scenarios).map(\.name)
        return Text.closest(to: name, among: chapters)
    }

    /// A line for each chapter.
    var overview: String { Self.short(parts, chapters, session) }

    /// A line or two for each scenario and program.
    var details: String { Self.long(parts, chapters, session) }

    func writeJSON(to sink: inout ByteSink) throws {
        let files = try chapters.flatMap(\.programs).map { try session.files.file($0.name) }
        Self.writeJSON(parts.flatMap(\.scenarios), files, to: &sink)
    }

    // MARK: - For people

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
                "'\(program) show CHAPTER' lists what is in a chapter, '\(program) show NAME' describes a scenario or "
                    + "program, '\(program) run NAME' runs it. 'show --long' lists everything."),
        ]
        return sections.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

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
    /// The first sentence of the summary.
    fileprivate var firstSentence: String {
        let end = summary.firstRange(of: ". ")?.lowerBound ?? summary.endIndex
        return (end == summary.endIndex ? summary : summary[..<end] + ".").replacing("*", with: "")
    }
}
