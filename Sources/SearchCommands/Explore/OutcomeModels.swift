import Authoring
import Console
import Exploration
import Glibc
import Machine
import Supervision
import Trace

/// For the table of `explore --outcomes`: which memory models allow each final state of a program, found by a search
/// under each model.
struct OutcomeModels {
    /// A final state, compared without the claims, which may differ between the models.
    private struct End: Hashable {
        let kind: OutcomeKind
        let memory: [MemoryWord]

        init(_ state: TerminalState) {
            kind = state.kind.isOfClaim ? .completed : state.kind
            memory = state.memory
        }
    }

    private struct Column {
        let model: MemoryModel
        /// Whether all executions under the model were searched.
        let isComplete: Bool
        let ends: Set<End>
    }

    /// One column for each model, from the strongest on.
    private let columns: [Column]
    /// Final states that the search under the plan's own model did not find, each with the first model under which it
    /// was found.
    private(set) var others: [(model: MemoryModel, row: TerminalTable.Row)] = []

    var models: [MemoryModel] { columns.map(\.model) }

    /// Nil: the models do not differ for this program, or have no meaning for it, or the search was interrupted.
    ///
    /// - Parameters:
    ///   - original: the program before it follows a model.
    ///   - result: the result of the search under the plan's own model.
    init?(_ original: any Runnable, _ plan: SearchPlan, _ result: SearchResult) throws {
        guard Self.differ(for: original, plan), !result.wasInterrupted else { return nil }
        var columns: [Column] = []
        var known = Set(result.terminals.rows.map { End($0.state) })
        let deadline = plan.end ?? Deadline(after: plan.time)
        // The number of models still to be searched, which share the remaining time.
        var waiting = MemoryModel.allCases.count - 1
        for model in MemoryModel.allCases {
            var found = result
            if model != plan.rules.model {
                found = try Self.search(original, model, plan, time: min(plan.time, deadline.left / UInt64(waiting)))
                waiting -= 1
            }
            if found.wasInterrupted { throw Interrupted(signal: found.signal ?? SIGINT) }
            let rows = found.terminals.rows
            columns.append(
                Column(
                    model: model, isComplete: found.isProof && found.terminals.others == 0,
                    ends: Set(rows.map { End($0.state) })))
            for row in rows where known.insert(End(row.state)).inserted { others.append((model, row)) }
        }
        self.columns = columns
    }

    /// Whether the models may allow different states.
    static func differ(for original: any Runnable, _ plan: SearchPlan) -> Bool {
        plan.scenario.hasStates && !plan.scenario.isSequential && original.partWithoutGraph == nil
    }

    /// The result of a search under the model. Without time: an empty result that is not complete.
    private static func search(
        _ original: any Runnable, _ model: MemoryModel, _ plan: SearchPlan, time: UInt64
    ) throws -> SearchResult {
        var nothing = SearchResult()
        nothing.stop = .time
        if time == 0 { return nothing }
        var other = SearchPlan(try model.supported(by: original))
        other.rules.maximumSteps = plan.rules.maximumSteps
        other.rules.spuriousWakeups = plan.rules.spuriousWakeups
        other.goal.keepsGoing = true
        other.goal.countsTerminals = true
        other.settings.seed = plan.settings.seed
        (other.time, other.stepTime, other.jobs) = (time, plan.stepTime, plan.jobs)
        return try SearchSupervisor.run(other, telling: .none).result
    }

    /// For each model, whether it allows the state. Nil: the model's search did not find the state, and was not
    /// complete.
    func allow(_ state: TerminalState) -> [Bool?] {
        columns.map { $0.ends.contains(End(state)) ? true : $0.isComplete ? false : nil }
    }
}

extension SearchResult {
    fileprivate var wasInterrupted: Bool { stop == .interrupted }
}

extension OutcomeKind {
    fileprivate var isOfClaim: Bool { self == .claim || self == .brokenClaim }
}
