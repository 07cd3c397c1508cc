import Authoring
import Console
import Exploration
import LabExecution
import Machine
import Reports
import Text
import Trace

/// A `.lab` program that `export` shows on a page with all its states, on which a reader chooses each step. `learn`
/// uses such pages as levels of a game, with a goal to reach.
package struct PagedProgram {
    let scenario: LabScenario
    private let rules: Rules
    private let tool: String

    /// - Throws: if the scenario is not a `.lab` program whose states are known, or if the rules ask for a weak memory
    ///   model.
    package init(_ scenario: any Runnable, _ rules: Rules, _ session: Session) throws(Complaint) {
        guard let program = scenario as? LabScenario, program.hasStates else {
            throw Complaint(
                "\(scenario.name.printable) runs \(scenario.ownCode), whose states are unknown: a page of states needs a "
                    + "program in a .lab file. For a page of one run: '\(session.program) run \(scenario.call) --html FILE'; to choose the "
                    + "steps: '\(session.program) play \(scenario.call)'")
        }
        self.scenario = program
        self.rules = try Self.followed(rules, program, session)
        tool = session.program
    }

    /// The rules of a page's runs. They must be sequentially consistent: other runs are no paths through the page's
    /// states.
    private static func followed(
        _ rules: Rules, _ program: LabScenario, _ session: Session
    ) throws(Complaint) -> Rules {
        var rules = rules
        rules.isSequential = program.isSequential
        guard rules.followedModel != .sc else { return rules }
        let call = (try? program.under(rules.model, alone: false).call) ?? program.call
        throw Complaint(
            "a page carries the states of sequentially consistent runs, and \(program.name.printable) has more runs under "
                + "--model \(rules.model.rawValue): for a page of one of them, '\(session.program) explore \(call) --html FILE'; "
                + "to choose the steps, '\(session.program) play \(call)'")
    }

    /// The maximum number of states. A page with more is slow to load, and too large to send.
    static let mostStates = 5_000
    /// The maximum number of states times the number of threads and objects that each state describes.
    private static let mostNumbers = 150_000

    /// All states of the program.
    ///
    /// - Parameter isGoal: returns, for the engine that visits the states, a function that tests whether its present
    ///   state is a goal.
    /// - Throws: if there are too many states.
    package func map(isGoal: (Engine) -> () -> Bool = { _ in { false } }) throws(Complaint) -> StateMap {
        guard let engine = scenario.makeSubject(rules, log: nil) as? Engine else {
            throw Complaint("the states of \(scenario.name.printable) are unknown")
        }
        do throws(StateMap.TooLarge) {
            return try StateMap(
                engine, rules,
                most: { threads, objects in min(Self.mostStates, Self.mostNumbers / (threads + objects)) },
                isGoal: isGoal(engine))
        } catch {
            throw complaint(error)
        }
    }

    private func complaint(_ size: StateMap.TooLarge) -> Complaint {
        let smaller =
            scenario.parameters.isEmpty
            ? "write a smaller version of it"
            : "give its parameters smaller values ('\(tool) show \(scenario.name.quotedForShell)')"
        let states = "\(size.isMinimum ? "more than " : "")\(size.count.grouped) states"
        let moves = size.count > size.limit ? "" : " and \(size.moves.grouped) moves"
        return Complaint(
            "'\(scenario.label.printable)' has \(states)\(moves), too many for a page, which carries at most "
                + "\(size.limit.grouped) states of this program: \(smaller), or step it with "
                + "'\(tool) play \(scenario.call)'")
    }

    /// The program's text.
    var file: PageFile {
        let source = scenario.program.source
        return PageFile(name: source.name, text: String(decoding: source.bytes, as: UTF8.self))
    }

    /// The first paragraph of the comment at the program's beginning.
    var introduction: String {
        let lines = scenario.program.description.drop { $0.allSatisfy(\.isWhitespace) }
        return lines.prefix { !$0.allSatisfy(\.isWhitespace) }.joined(separator: " ")
    }

    /// The command to which a schedule is appended.
    var command: String {
        let changes = rules.changes.map { TraceHeader.Parameter(name: $0.name, value: $0.value) }
        return "\(tool) replay \(scenario.call)\(scenario.options(changes)) --schedule"
    }

    /// The parameters, and the rules that are not the default.
    var details: [String] {
        scenario.arguments.map { "\($0.name)=\($0.value)" } + rules.changes.map { "\($0.name)=\($0.value)" }
    }
}

extension ProgramPage {
    /// A page on which each of the program's goals can be chosen.
    init(_ map: StateMap, of program: PagedProgram) {
        self.init(map, title: program.scenario.label, file: program.file, command: program.command)
        details = program.details
        intro = [program.introduction].filter { !$0.isEmpty }
        hasWeakOrders = program.scenario.hasWeakOrders
    }

    /// A level, which has one goal. Nil: it cannot be reached.
    package init?(_ map: StateMap, of program: PagedProgram, level goal: ProgramGoal.Choice, title: String) {
        self.init(level: map, goal, title: title, file: program.file, command: program.command)
        details = program.details
        hasWeakOrders = program.scenario.hasWeakOrders
    }
}
