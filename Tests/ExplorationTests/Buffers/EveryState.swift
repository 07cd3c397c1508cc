import LabExecution
import Machine
import Trace

@testable import Exploration

/// What all executions of a program under tso end in, by the search of its states.
struct EveryState {
    private(set) var ends: Set<Exploration.TerminalState> = []
    private(set) var kinds: Set<OutcomeKind> = []
    private(set) var hasRace = false
    private(set) var isComplete: Bool
    let obstacle: Obstacle?
    /// Whether it has ended by itself: what waits for time is searched, and not proved.
    var isSearched: Bool { isComplete || obstacle == .timeBesideStores }
    let count: Int

    /// - Parameter isReduced: whether orders are left out that make no difference.
    init(
        _ bytecode: Bytecode, spurious: Int = 0, isReduced: Bool = true, countsTerminals: Bool = true,
        most: Int = 200_000
    ) {
        var settings = StateSettings()
        settings.rules = Rules(maximumSteps: 400, spuriousWakeups: spurious)
        settings.rules.model = .tso
        settings.isReduced = isReduced
        var goal = SearchGoal()
        goal.keepsGoing = true
        goal.countsTerminals = countsTerminals
        let report = StateSearch(Engine(bytecode, rules: settings.rules), goal, settings).run(most)
        ends = Set(report.terminals.rows.map(\.state).filter { $0.kind != .race })
        kinds = Set(report.findings.map(\.kind))
        hasRace = report.findings.contains { $0.kind == .race }
        isComplete = report.end == .exhausted
        obstacle = report.obstacle
        count = report.counts.states
    }
}
