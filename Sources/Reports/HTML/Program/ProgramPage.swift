import Diagnosis
import Exploration
import Text
import Trace

/// A small program as one self-contained HTML file, on which a reader steps the program's threads, goes back, asks why
/// a thread cannot step, and tries to reach a goal.
///
/// The page's scripts compute nothing about the program: they follow the moves of a `StateMap`, which contains all
/// states of the program, and show the words of each state. As in `PageReport`, a policy in the file allows only its
/// own scripts and styles.
package struct ProgramPage {
    /// A link to another page.
    package struct Link {
        package let text: String
        package let address: String

        package init(_ text: String, to address: String) {
            self.text = text
            self.address = address
        }
    }

    package var title: String
    /// Paragraphs of plain text below the title.
    package var intro: [String] = []
    /// The values of the program's parameters, and the rules of its runs: `capacity=2`.
    package var details: [String] = []
    /// The program's file, with its text.
    package var file: PageFile
    /// The command that replays a run of the page, without the schedule, which the page appends:
    /// `threadlab replay deadlock --schedule`.
    package var command: String
    /// Whether the program's memory orders allow runs that are not sequentially consistent. The states on the page are
    /// only those of sequentially consistent runs.
    package var hasWeakOrders = false
    package var previous: Link?
    package var next: Link?
    private let map: StateMap
    private let goals: [ProgramGoal]
    private let hasOneGoal: Bool

    /// A page on which the reader can choose any goal of the program.
    package init(_ map: StateMap, title: String, file: PageFile, command: String) {
        self.init(map, title: title, file: file, command: command, goals: ProgramGoal.all(in: map), hasOneGoal: false)
    }

    /// A level: a page with one goal. Nil: the goal cannot be reached.
    package init?(level map: StateMap, _ goal: ProgramGoal.Choice, title: String, file: PageFile, command: String) {
        guard let goal = ProgramGoal.chosen(goal, in: map), goal.distances[0] != nil else { return nil }
        self.init(map, title: title, file: file, command: command, goals: [goal], hasOneGoal: true)
    }

    private init(
        _ map: StateMap, title: String, file: PageFile, command: String, goals: [ProgramGoal], hasOneGoal: Bool
    ) {
        self.map = map
        self.title = title
        self.file = file
        self.command = command
        self.goals = goals
        self.hasOneGoal = hasOneGoal
    }

    /// The smallest number of steps to the goal of a level; on another page, to its first goal. Nil: there is no goal.
    package var shortest: Int? { goals.first?.shortest }

    package func write(to sink: inout ByteSink) { Self.template.write(parts, to: &sink) }

    // MARK: - The places of the template

    private static let template = PageTemplate(
        "program.html", styles: ["colors.css", "program.css"],
        scripts: [
            "program/states.js", "program/history.js", "program/threads.js", "program/source.js", "program/lanes.js",
            "program/goals.js", "program/questions.js", "program/controls.js",
        ])

    private var parts: [String: [UInt8]] {
        var data = ByteSink()
        ProgramPageData(
            map, goals, file: file.name.split(separator: "/").last.map(String.init) ?? "", lines: lines,
            command: command
        ).write(to: &data)
        return [
            "title": escaped(title), "intro": Array(intro.map { "<p>\(safe($0))</p>" }.joined().utf8),
            "details": escaped(details.joined(separator: ", ")), "facts": escaped(facts),
            "proof": escaped(
                goals.isEmpty
                    ? "Nothing to reach: none of its \(map.states.count) states fails\(hasWeakOrders ? ", under sc" : "")"
                    : ""),
            "previous": link(previous, "prev"), "next": link(next, "next"),
            "level": Array((hasOneGoal ? "level" : "").utf8), "data": PageTemplate.harmless(data.bytes),
        ]
    }

    /// The lines of the file, with each tab replaced by four blanks.
    private var lines: [String] {
        var lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { Label(String($0.replacing("\t", with: "    "))).text }
    }

    private func safe(_ text: String) -> String { Label(text).text.escapedForXML }

    private func escaped(_ text: String) -> [UInt8] { Array(safe(text).utf8) }

    private func link(_ link: Link?, _ relation: String) -> [UInt8] {
        guard let link else { return [] }
        return Array("<a rel=\"\(relation)\" href=\"\(safe(link.address))\">\(safe(link.text))</a>".utf8)
    }

    /// Sentences about the size of the page: how many states and moves it has, and in how many states something is
    /// wrong.
    package var facts: String {
        let states = Names.count(map.states.count, "state")
        let size = "\(states) and \(Names.count(map.moveCount, "move"))\(hasWeakOrders ? " under sc" : "")"
        let more = hasWeakOrders ? " Its memory orders allow more under rc11, which 'explore' searches." : ""
        let failures = failingCounts
        if failures.isEmpty {
            let ends = map.states.count { $0.end != nil }
            let end = ends == 0 ? "no run ends" : "every run that ends completes"
            let rest =
                map.mayHideRaces
                ? " Data races whose accesses are never next to each other are not shown: 'explore' finds them." : ""
            return "All \(size) are on this page: none fails, and \(end).\(rest)\(more)"
        }
        let count = failures.reduce(0) { $0 + $1.count }
        let kinds = failures.map { failures.count == 1 ? $0.kind.rawValue : "\($0.kind.rawValue): \($0.count)" }
        return "All \(size) are on this page. In \(Names.count(count, "state")) something is wrong "
            + "(\(kinds.joined(separator: ", "))).\(more)"
    }

    /// By kind of failure: the number of states with it.
    private var failingCounts: [(kind: OutcomeKind, count: Int)] {
        OutcomeKind.allCases.filter { $0 != .completed }.compactMap { kind in
            let ends = map.states.count { $0.end?.kind == kind }
            let races = kind == .race ? map.states.count { !$0.races.isEmpty } : 0
            let cycles = map.cycles.filter { $0.kind == kind }.reduce(0) { $0 + $1.states.count }
            let count = ends + races + cycles
            return count == 0 ? nil : (kind, count)
        }
    }
}
