import Exploration
import LabExecution
import Machine
import Trace

/// What a search reports of a program: its findings, and the states in which executions end.
struct KindsOfEnd: Equatable, CustomStringConvertible {
    var findings: Set<Counterexample.Identity> = []
    var terminals: Set<Exploration.TerminalState> = []

    private static func goal(countsTerminals: Bool = true) -> SearchGoal {
        var goal = SearchGoal()
        goal.harmless = []
        goal.keepsGoing = true
        goal.countsTerminals = countsTerminals
        return goal
    }

    /// Of all executions that a strategy tries. Nil: there are more than the limit, or some do not end.
    init?(_ engine: Engine, _ strategy: StrategyChoice, limit: Int) {
        var settings = StrategySettings()
        settings.rules = engine.rules
        let unit = Agenda.Unit(strategy: strategy, executions: 0..<limit, before: 0)
        var search = UnitSearch(unit, Self.goal())
        let observed = ObservedStrategy(strategy.make(settings), distinguishesTraces: false)
        let report = search.run(observed, on: engine) { false }
        guard report.end == .exhausted, report.counts.cutOff == 0 else { return nil }
        self.init(report)
    }

    /// Of all states.
    init?(_ engine: Engine, _ settings: StateSettings, countsTerminals: Bool = true, limit: Int = 1_000_000) {
        let report = StateSearch(engine, Self.goal(countsTerminals: countsTerminals), settings).run(limit)
        guard report.end == .exhausted else { return nil }
        self.init(report)
    }

    private init(_ report: UnitReport) {
        // How far the threads are that a process leaves behind is no difference: see `Endings`.
        findings = Set(
            report.findings.map { .init(kind: $0.kind, place: $0.kind == .leak ? 0 : $0.place) })
        terminals = Set(report.terminals.rows.map(\.state))
    }

    /// The findings of a search by partial orders and of one that visits every state, and the states in which runs end
    /// that leave no thread behind. Nil: there are too many.
    static func ofTracesAndStates(_ text: String) throws -> (traces: KindsOfEnd, states: KindsOfEnd)? {
        var settings = StateSettings()
        (settings.isReduced, settings.exchanges) = (false, false)
        let engine = try TestProgram(text).engine()
        guard var states = KindsOfEnd(engine, settings), var traces = KindsOfEnd(engine, .dpor, limit: 20_000) else {
            return nil
        }
        states.terminals = states.terminals.filter { $0.kind != .leak }
        traces.terminals = traces.terminals.filter { $0.kind != .leak }
        return (traces, states)
    }

    var description: String {
        findings.map { "\($0.kind.rawValue) at \($0.place)" }.sorted().joined(separator: ", ") + "; "
            + terminals.map { "\($0.kind.rawValue) \($0.memory.map(\.value))" }.sorted().joined(separator: ", ")
    }
}
