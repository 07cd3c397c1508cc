import Authoring
import Console
import Exploration
import Glibc
import LabExecution
import LabSyntax
import Litmus
import Machine
import Supervision
import Trace

/// A `.lab` program that is run as a litmus test, as plain instructions on real threads.
struct LitmusTest {
    let scenario: LabScenario
    let program: LitmusProgram

    /// - Throws: if the program cannot be run as a litmus test, with the reason and the place.
    init(_ scenario: any Runnable, _ session: Session) throws(Complaint) {
        guard let scenario = scenario as? LabScenario, case .program(let compiled) = scenario.body else {
            throw Complaint(
                "litmus runs programs in .lab files, and \(scenario.name.printable) runs \(scenario.ownCode): "
                    + Self.otherwise(scenario, session))
        }
        self.scenario = scenario
        do throws(Diagnostic) {
            program = try LitmusProgram(scenario.program, compiled.bytecode.configuration)
        } catch {
            throw Complaint(error.text(in: scenario.program.source) + "\n")
        }
    }

    /// The command that runs such a scenario. A compiled program has no runs on real threads.
    private static func otherwise(_ scenario: any Runnable, _ session: Session) -> String {
        scenario.isControlledOnly
            ? "'\(session.program) explore \(scenario.call)' tries its executions"
            : "'\(session.program) run \(scenario.call)' runs it on real threads"
    }

    /// All outcomes that the memory model allows.
    ///
    /// - Parameter time: the limit of the search, in nanoseconds.
    func allowedOutcomes(_ model: MemoryModel, time: UInt64) throws -> ModelTable.Allowed {
        if !scenario.isSequential, let obstacle = scenario.obstacle(under: model) { return .unknown(obstacle) }
        return try ModelOutcomes(scenario, program.observed).search(model, time: time)
    }
}

/// The outcomes that a program can have under a memory model: the ends of all its executions, found by a search.
struct ModelOutcomes {
    private let scenario: LabScenario
    private let observed: [ObservedValue]

    init(_ scenario: LabScenario, _ observed: [ObservedValue]) {
        self.scenario = scenario
        self.observed = observed
    }

    func search(_ model: MemoryModel, time: UInt64) throws -> ModelTable.Allowed {
        var plan = SearchPlan(try scenario.under(model, alone: false))
        plan.time = time
        plan.jobs = Processors.count
        plan.goal.keepsGoing = true
        plan.goal.countsTerminals = true
        let (result, _) = try SearchSupervisor.run(plan, telling: .none) { _ in }
        if result.stop == .interrupted { throw Interrupted(signal: result.signal ?? SIGINT) }
        if result.discrepancy != nil { throw Complaint("the search of the executions failed", .failure) }
        guard result.isProof, result.terminals.others == 0 else {
            return .unknown("not all executions were searched")
        }
        let names = try MemoryNames(result.terminals, plan)
        var outcomes: Set<LitmusOutcome> = []
        for row in result.terminals.rows {
            switch ending(row.state.kind) {
            case .ends(let ending): outcomes.insert(LitmusOutcome(ending, values(row.state, names)))
            case .continues: break
            case .unknown(let reason): return .unknown(reason)
            }
        }
        return .known(outcomes)
    }

    /// What the end of a searched execution means for a round on real threads.
    private enum End {
        /// A round ends in the same way.
        case ends(Ending)
        /// A round continues: the search has only ended the execution because it can repeat itself forever.
        case continues
        /// Why the outcomes of rounds do not follow from the search.
        case unknown(String)
    }

    private func ending(_ kind: OutcomeKind) -> End {
        switch kind {
        case .completed, .lockOrder, .leak: .ends(.completed)
        case .claim, .brokenClaim:
            endsEarly ? .unknown("a run ends where an invariant does not hold") : .ends(.completed)
        case .deadlock: .ends(.deadlock)
        case .assertion: .ends(.assertion)
        case .error: .ends(.error)
        case .misuse: .ends(.misuse)
        case .livelock, .starvation: .continues
        case .race: .unknown("the program has a data race, and a run ends there")
        case .timeout, .crash, .interrupted: .unknown("a run ends with the outcome '\(kind.rawValue)'")
        }
    }

    /// Whether the program has an invariant. Where it does not hold, the search ends an execution; a round continues.
    private var endsEarly: Bool {
        scenario.program.claims.contains { if case .invariant = $0.kind { true } else { false } }
    }

    private func values(_ state: TerminalState, _ names: MemoryNames) -> [Int] {
        let found = Dictionary(names.values(state).map { ($0.name, $0.value) }) { first, _ in first }
        return observed.map { found[$0.name] ?? 0 }
    }
}
