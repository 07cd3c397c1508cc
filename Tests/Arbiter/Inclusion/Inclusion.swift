import Exploration
import LabExecution
import LabProgram
import LabSyntax
import Machine
import Trace

/// Rules that allow more never find less: whatever some rules lead to, rules that allow all that they do must lead to as well.
///
/// Engines share the rules, so comparing engines cannot show where one of them takes a possibility away.
package struct Inclusion: Sendable {
    /// What an engine saw of a program under some rules.
    private struct Sight {
        var ends: Set<TerminalState> = []
        var kinds: Set<OutcomeKind> = []
        var isComplete = false
    }

    package let seed: UInt64
    package let text: String
    private let bytecode: Bytecode
    /// How many pairs of rules were compared.
    package private(set) var pairs = 0
    /// What the more generous rules of a pair did not find.
    package private(set) var complaints: [String] = []

    /// - Throws: if the text is not a program.
    package init(_ text: String, seed: UInt64 = 0) throws {
        self.seed = seed
        self.text = text
        let reading = SourceText(name: "made-up.lab", text).read()
        guard let program = reading.program else {
            throw Subject.Refused(messages: reading.diagnostics.map(\.message) + [text])
        }
        bytecode = try program.compiled()
    }

    /// A program of its own for each seed; every third has weak orders.
    package init(seed: UInt64) throws {
        let hasOrders = seed % 3 == 0
        try self.init(RuleProgram.text(seed: seed, hasOrders: hasOrders), seed: seed)
        var random = SplitMix64(seed: ~seed)
        compare(Self.rules(&random, hasOrders), hasOrders: hasOrders)
    }

    // MARK: - Rules

    /// Some rules that do not allow everything.
    private static func rules(_ random: inout SplitMix64, _ hasOrders: Bool) -> Rules {
        var rules = Rules(maximumSteps: 300, spuriousWakeups: random.next(below: 10) < 7 ? 0 : 1)
        if random.next(below: 3) == 0 { rules.timeouts = .any }
        if random.next(below: 3) == 0 { rules.waiters = .fifo }
        if random.next(below: 3) == 0 { rules.fairness = .weak }
        return rules
    }

    /// Rules that allow one thing more, and some that allow several.
    private static func wider(_ rules: Rules, _ hasOrders: Bool) -> [Rules] {
        var changes: [(inout Rules) -> Void] = []
        if rules.timeouts == .lazy { changes.append { $0.timeouts = .any } }
        changes.append { $0.spuriousWakeups += 1 }
        if rules.waiters == .fifo { changes.append { $0.waiters = .any } }
        if rules.fairness == .strong { changes.append { $0.fairness = .weak } }
        if hasOrders && rules.model == .sc { changes.append { $0.model = .tso } }
        if hasOrders && rules.model != .rc11 { changes.append { $0.model = .rc11 } }
        var all = changes.map { change in
            var wider = rules
            change(&wider)
            return wider
        }
        var widest = rules
        for change in changes { change(&widest) }
        all.append(widest)
        return all
    }

    // MARK: - Comparing

    /// Compares these rules with those that allow more.
    package mutating func compare(_ rules: Rules, hasOrders: Bool) {
        let narrow = search(rules)
        for wider in Self.wider(rules, hasOrders) {
            compare(rules, narrow, wider)
            // Each weaker model allows what the one before does.
            if hasOrders && wider.model == .tso {
                var weakest = wider
                weakest.model = .rc11
                compare(wider, search(wider), weakest)
            }
        }
    }

    /// Compares the usual rules, and those under which one wait may end by itself, with all that allow more.
    package mutating func compareAll() {
        for spurious in 0...1 {
            compare(Rules(maximumSteps: 300, spuriousWakeups: spurious), hasOrders: false)
        }
    }

    private mutating func compare(_ rules: Rules, _ narrow: Sight, _ wider: Rules) {
        let wide = search(wider)
        guard wide.isComplete else { return }
        pairs += 1
        func complain(_ what: String) {
            complaints.append("seed \(seed): \(Self.text(rules)) finds \(what), \(Self.text(wider)) does not\n\(text)")
        }
        for kind in narrow.kinds.subtracting(wide.kinds).sorted(by: { $0.rawValue < $1.rawValue }) {
            // Of endless executions only the worst is reported.
            if kind == .starvation && wide.kinds.contains(.livelock) { continue }
            return complain(kind.rawValue)
        }
        let missing = narrow.ends.subtracting(wide.ends)
        if let end = missing.min(by: { "\($0)" < "\($1)" }) {
            complain("\(end.kind.rawValue) with \(end.memory.map(\.value)), one of \(missing.count)")
        }
    }

    private static func text(_ rules: Rules) -> String {
        let changes = rules.changes.map { "--\($0.0) \($0.1)" }.joined(separator: " ")
        return changes.isEmpty ? "the usual rules" : "'\(changes)'"
    }

    // MARK: - Searching

    private func search(_ rules: Rules) -> Sight {
        var goal = SearchGoal()
        goal.keepsGoing = true
        goal.countsTerminals = true
        var result = SearchResult()
        let subject = Engine(bytecode, rules: rules)
        if rules.model == .sc {
            var settings = StateSettings()
            settings.rules = rules
            (settings.isReduced, settings.exchanges) = (false, false)
            let report = StateSearch(subject, goal, settings).run(Self.mostStates)
            result.add(report, of: .states, goal)
            if !result.isOver && result.visited == nil { result.stop = .executions }
        } else {
            var settings = StrategySettings()
            settings.rules = rules
            let unit = Agenda.Unit(strategy: .dfs, executions: 0..<Self.mostExecutions, before: 0)
            var search = UnitSearch(unit, goal)
            let strategy = ObservedStrategy(StrategyChoice.dfs.make(settings), distinguishesTraces: false)
            result.add(search.run(strategy, on: subject) { false }, of: .dfs, goal)
            if !result.isOver { result.stop = .executions }
        }
        // Of executions that never end there is nothing to compare but their kind.
        let endless: Set<OutcomeKind> = [.livelock, .starvation]
        let ends = Set(result.terminals.rows.map(\.state)).filter { !endless.contains($0.kind) }
        return Sight(ends: ends, kinds: Set(result.findings.map(\.kind)), isComplete: result.isProof)
    }

    private static let mostStates = 20_000
    private static let mostExecutions = 3_000
}
