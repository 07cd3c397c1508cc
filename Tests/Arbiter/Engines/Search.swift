import Exploration
import LabExecution
import LabProgram
import LabSyntax
import Machine
import Trace

/// A program that threadlab has read.
package struct Subject {
    package let bytecode: Bytecode
    private let rules: Rules
    private let continuesForever: Bool
    private let soughtStates: [String]

    /// - Throws: `Refused`, if threadlab reads it as no program.
    package init(_ text: String, _ rulebook: Rulebook) throws {
        let reading = SourceText(name: "made-up.lab", text).read()
        guard let program = reading.program else { throw Refused(messages: reading.diagnostics.map(\.message)) }
        bytecode = try program.compiled()
        continuesForever = program.hasProgress
        soughtStates = program.soughtStates
        rules = Rules(rulebook)
    }

    package struct Refused: Error, CustomStringConvertible {
        package let messages: [String]
        package var description: String { "not a program: \(messages.joined(separator: "; "))" }
    }

    private var goal: SearchGoal {
        var goal = SearchGoal()
        goal.keepsGoing = true
        goal.countsTerminals = true
        let states = soughtStates
        goal.soughtStates = states.count
        goal.seeksStatesOnTheWay = states.contains { $0.hasPrefix("possible ") }
        goal.seenStates = { subject in
            guard let engine = subject as? LabExecution.Engine else { return [] }
            let seen = engine.seenStates
            return states.indices.filter { seen.contains(states[$0]) }
        }
        return goal
    }

    // MARK: - The engines

    /// - Parameter effort: the maximum number of states, and of executions.
    package func search(_ engine: Sighting.Engine, effort: (states: Int, executions: Int)) -> Sighting {
        var sighting = Sighting(engine: engine)
        var goal = goal
        switch engine {
        case .usual:
            goal.keepsGoing = false
            goal.countsTerminals = false
            sighting.listsAll = false
            let result = searchAsUsual(goal, effort.executions)
            fill(&sighting, result)
        case .states, .compacted:
            // Without reduction only if ends are listed; and without the states of the way to each end.
            goal.countsTerminals = false
            fill(&sighting, searchStates(engine, goal, effort.states))
        case .allStates, .depthFirst:
            let result = searchStates(engine, goal, effort.states)
            fill(&sighting, result)
            sighting.ends = Set(result.terminals.rows.map(\.state))
        case .dpor, .dfs, .random:
            let result = searchExecutions(engine.strategy!, goal, engine == .random ? 40 : effort.executions)
            fill(&sighting, result)
            sighting.ends = Set(result.terminals.rows.map(\.state))
        }
        return sighting
    }

    private func searchStates(_ engine: Sighting.Engine, _ goal: SearchGoal, _ limit: Int) -> SearchResult {
        var settings = StateSettings()
        settings.rules = rules
        settings.isReduced = engine != .allStates
        settings.exchanges = engine != .allStates
        settings.isDepthFirst = engine == .depthFirst
        settings.isCompacted = engine == .compacted
        let search = StateSearch(LabExecution.Engine(bytecode, rules: rules), goal, settings)
        var result = SearchResult()
        result.add(search.run(limit), of: .states, goal)
        if !result.isOver && result.visited == nil { result.stop = .executions }
        return result
    }

    private func searchExecutions(_ strategy: StrategyChoice, _ goal: SearchGoal, _ limit: Int) -> SearchResult {
        var settings = StrategySettings()
        settings.rules = rules
        let unit = Agenda.Unit(strategy: strategy, executions: 0..<limit, before: 0)
        var search = UnitSearch(unit, goal)
        let observed = ObservedStrategy(strategy.make(settings), distinguishesTraces: false)
        var result = SearchResult()
        let engine = LabExecution.Engine(bytecode, rules: rules)
        result.add(search.run(observed, on: engine) { false }, of: strategy, goal)
        if !result.isOver { result.stop = .executions }
        return result
    }

    /// The turns that `explore` takes.
    private func searchAsUsual(_ goal: SearchGoal, _ limit: Int) -> SearchResult {
        let agenda = Agenda(nil, provers: continuesForever ? [.states] : [.dpor, .states], limit: limit)
        var settings = StrategySettings()
        settings.rules = rules
        settings.states.rules = rules
        let subject = LabExecution.Engine(bytecode, rules: rules)
        let known = KnownWalks(subject, seed: settings.seed, rules: rules, goal: goal)
        let states = StateSearch(LabExecution.Engine(bytecode, rules: rules), goal, settings.states)
        let orders = ObservedStrategy(StrategyChoice.dpor.make(settings), distinguishesTraces: false)
        let ordered = LabExecution.Engine(bytecode, rules: rules)
        var result = SearchResult()
        var finished: Set<StrategyChoice> = []
        var index = 0
        while !result.isOver, let unit = agenda.unit(index) {
            let prover = agenda.prover(of: index)
            index += 1
            if let prover, finished.contains(prover) { continue }
            let report: UnitReport
            if unit.strategy == .states {
                report = states.run(unit.executions.count)
            } else {
                var search = UnitSearch(unit, goal)
                let strategy =
                    prover == nil
                    ? ObservedStrategy(unit.strategy.make(settings), distinguishesTraces: true, known: known) : orders
                report = search.run(strategy, on: prover == nil ? subject : ordered) { false }
            }
            result.add(report, of: unit.strategy, goal)
            if let prover, report.end != .done { finished.insert(prover) }
        }
        if !result.isOver { result.stop = .executions }
        return result
    }

    private func fill(_ sighting: inout Sighting, _ result: SearchResult) {
        sighting.isProof = result.isProof
        sighting.reason = Self.reason(result)
        sighting.isCutOff = result.counts.cutOff > 0
        sighting.kinds = Set(result.findings.map(\.kind))
        sighting.seenStates = Set(result.seenStates.map { soughtStates[$0] })
        for finding in result.findings {
            if finding.isOfClaim { sighting.claims.insert(finding.place) }
            if finding.kind == .assertion { sighting.messages.insert(message(finding.schedule)) }
        }
    }

    /// What failed at the end of a schedule.
    private func message(_ schedule: Schedule) -> String {
        let engine = LabExecution.Engine(bytecode, rules: rules)
        let verdict = engine.run(Replay(schedule))
        return verdict == .assertion ? engine.failure?.message ?? "nothing" : "the schedule leads to \(verdict)"
    }

    /// Why the result is no proof.
    private static func reason(_ result: SearchResult) -> String? {
        if let stop = result.stop { return stop.rawValue }
        if result.counts.cutOff > 0 { return "cut off" }
        if !result.bounded.isEmpty { return "bounded" }
        return result.obstacles.first?.description
    }
}

extension Rules {
    package init(_ rulebook: Rulebook) {
        self.init(maximumSteps: 400, spuriousWakeups: rulebook.spurious)
        waiters = rulebook.isFirstWoken ? .fifo : .any
        timeouts = rulebook.isLateAnytime ? .any : .lazy
        fairness = rulebook.isWeaklyFair ? .weak : .strong
    }
}
