import Authoring
import Diagnosis
import Exploration
import Trace

/// Looks for a finding in a smaller version of its program, with lower values of those parameters that are numbers with
/// a range.
package struct ParameterShrinker {
    /// The program with the lowest values that still shows the finding.
    package struct Smaller {
        package let scenario: any Runnable
        package let finding: ExplainedFinding
        /// The parameters that were lowered, by name.
        package let changed: [(name: String, value: String)]
    }

    private let plan: SearchPlan
    private let original: ExplainedFinding
    /// The number of steps of the original finding.
    private let steps: Int
    private let key: Key
    /// Makes the program with these parameters. Nil: it cannot have them.
    private let configured: ([(name: String, value: String)]) -> (any Runnable)?
    private let end: Deadline
    /// The parameters that may be lowered.
    private var numbers: [Number] = []
    private var tries = 0
    private var best: (scenario: any Runnable, finding: ExplainedFinding, steps: Int)?

    /// The maximum number of versions that are searched, and of executions in each of these searches.
    private static let mostTries = 16
    private static let mostExecutions = 2000
    /// All these searches together may take the time of the original search divided by this.
    private static let share: UInt64 = 4

    /// What makes two findings the same, whatever the numbers of threads and objects: the outcome, the detector's code,
    /// and the names of the objects without their subscripts.
    private struct Key: Equatable {
        let kind: OutcomeKind
        let code: FindingCode?
        let objects: Set<String>

        init(_ finding: ExplainedFinding) {
            kind = finding.finding.kind
            code = finding.deciding?.code
            let names = Names(finding.trace)
            objects = Set((finding.deciding?.objects ?? []).map { String(names.name($0).prefix { $0 != "[" }) })
        }
    }

    /// A parameter that is a number, and its lowest value.
    private struct Number {
        let name: String
        let least: Int
    }

    /// Must be called while the process has one thread: it forks.
    ///
    /// - Parameters:
    ///   - canLower: whether the parameter with this name may be changed.
    ///   - configured: makes the program with these parameters. Nil: it cannot have them.
    /// - Returns: nil if no version has the same finding after fewer steps.
    package static func shrink(
        _ finding: ExplainedFinding, _ plan: SearchPlan, canLower: (String) -> Bool = { _ in true },
        configured: @escaping ([(name: String, value: String)]) -> (any Runnable)?
    ) throws(SupervisionFailed) -> Smaller? {
        // Findings that end their process, or never end, take long to repeat. Those of random executions were not
        // searched for.
        let kind = finding.finding.kind
        guard let shrunk = finding.shrunk, finding.isConfirmed, !finding.isOfRandomRun, kind != .crash,
            kind != .timeout, plan.prefix.choices.isEmpty
        else { return nil }
        var shrinker = ParameterShrinker(finding, plan, steps: shrunk.cost.steps, configured)
        shrinker.numbers = plan.scenario.parameters.filter { canLower($0.name) }.compactMap(shrinker.number)
        try shrinker.run()
        return shrinker.smaller
    }

    private init(
        _ finding: ExplainedFinding, _ plan: SearchPlan, steps: Int,
        _ configured: @escaping ([(name: String, value: String)]) -> (any Runnable)?
    ) {
        original = finding
        self.plan = plan.following(finding.finding)
        self.steps = steps
        self.configured = configured
        key = Key(finding)
        let whole = plan.end ?? Deadline(after: plan.time)
        end = whole.at(most: min(whole.left, plan.time) / Self.share)
    }

    private var smaller: Smaller? {
        guard let best, best.steps < steps else { return nil }
        let before = Dictionary(uniqueKeysWithValues: plan.scenario.arguments.map { ($0.name, $0.value) })
        let changed = best.scenario.arguments.filter { before[$0.name] != $0.value }
        return Smaller(scenario: best.scenario, finding: best.finding, changed: changed)
    }

    // MARK: - Lowering

    /// Lowers all parameters at once, which often suffices; then one after the other, each as far as possible.
    private mutating func run() throws(SupervisionFailed) {
        let names = Set(numbers.map(\.name))
        var values: [String: Int] = [:]
        for (name, value) in plan.scenario.arguments where names.contains(name) { values[name] = Int(value) }
        let lowest = values.merging(numbers.map { ($0.name, $0.least) }) { min($0, $1) }
        if lowest == values { return }
        if try attempt(lowest) { return }
        for number in numbers {
            guard let value = values[number.name] else { continue }
            for lower in candidates(number.least, below: value) {
                var changed = values
                changed[number.name] = lower
                if try attempt(changed) {
                    values = changed
                    break
                }
            }
        }
    }

    private func number(_ parameter: ParameterDescription) -> Number? {
        guard parameter.form == .integer, let least = parameter.range.flatMap({ Int($0.lower) }) else { return nil }
        return Number(name: parameter.name, least: least)
    }

    /// The values to try, lowest first: the four lowest, the one in the middle, and the one below the present value.
    private func candidates(_ least: Int, below value: Int) -> [Int] {
        guard least < value else { return [] }
        let lowest = [0, 1, 2, 3].map { least.addingReportingOverflow($0) }.filter { !$0.overflow }.map(\.partialValue)
        let middle = least.addingReportingOverflow(value).overflow ? nil : (least + value) / 2
        var known: Set<Int> = []
        return (lowest + [middle, value - 1].compactMap(\.self)).filter { $0 < value && known.insert($0).inserted }
    }

    /// - Returns: whether the program with these values has the same finding after no more steps.
    private mutating func attempt(_ values: [String: Int]) throws(SupervisionFailed) -> Bool {
        guard tries < Self.mostTries, !end.isOver, EndingWatch.signal == nil else { return false }
        tries += 1
        let arguments = plan.scenario.arguments.map { argument in
            (name: argument.name, value: values[argument.name].map(String.init) ?? argument.value)
        }
        guard let scenario = configured(arguments) else { return false }
        guard let found = try search(scenario, time: end.left), let cost = found.shrunk?.cost else { return false }
        guard Key(found) == key, cost.steps <= best?.steps ?? steps else { return false }
        best = (scenario, found, cost.steps)
        return true
    }

    private func search(_ scenario: any Runnable, time: UInt64) throws(SupervisionFailed) -> ExplainedFinding? {
        var lowered = SearchPlan(scenario)
        lowered.strategy = plan.strategy
        lowered.settings = plan.settings
        lowered.stepTime = plan.stepTime
        lowered.executions = min(plan.executions, Self.mostExecutions)
        lowered.time = time
        lowered.end = end
        let findings = try SearchSupervisor.run(lowered, telling: .firstOfEachKind).findings
        return findings.first { $0.finding.kind == key.kind && $0.isConfirmed }
    }
}
