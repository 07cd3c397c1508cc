import Authoring
import Console
import Diagnosis
import Exploration
import Machine
import Reports
import Supervision
import Text
import Trace

/// The result of a search, compared with the scenario's expectations, and the sentences of the report on it.
struct SearchAssessment {
    /// The possible conclusions of a search.
    enum Conclusion: String {
        case finding
        /// All executions or states were covered, and none fails.
        case proved
        /// Nothing was found, and not everything was covered.
        case unproved
        /// No execution was seen to end, so nothing is known of the program.
        case undecided
        /// The same schedule led to different executions.
        case unrepeatable
        /// A thread that the scheduler does not control took part.
        case uncontrollable
        case interrupted
    }

    let result: SearchResult
    let plan: SearchPlan
    let examination: RandomExamination
    /// The result of the search as evidence, in the form for which `ProofWords` has the sentences of all commands.
    private let evidence: Evidence

    /// - Parameter examination: the result of the random executions, if there were any.
    init(_ result: SearchResult, _ plan: SearchPlan, _ examination: RandomExamination = RandomExamination()) {
        self.result = result
        self.plan = plan
        self.examination = examination
        evidence = Evidence(result, [], plan)
    }

    private var expectation: Expectation { plan.scenario.expectation }

    var conclusion: Conclusion {
        switch result.discrepancy {
        case .repetition: return .unrepeatable
        case .foreignThread: return .uncontrollable
        case nil: break
        }
        if result.findings.contains(where: { !plan.goal.tolerated.contains($0.kind) }) { return .finding }
        if result.stop == .interrupted { return .interrupted }
        if hasSeenNoEnd { return .undecided }
        return result.isProof ? .proved : .unproved
    }

    /// Expected outcomes that no execution had. A search that stops at a finding looks for only one.
    var missing: [OutcomeKind] {
        let found = Set(result.findings.map(\.kind))
        let sought = expectation.findings
        if !plan.goal.keepsGoing && sought.contains(where: { found.contains($0) }) { return [] }
        return sought.filter { !found.contains($0) }
    }

    /// Expected states that no execution ended in. Empty for a search that stopped at a finding.
    var missingStates: [String] {
        if conclusion == .finding && !plan.goal.keepsGoing { return [] }
        return plan.scenario.soughtStates.enumerated().filter { !result.seenStates.contains($0.offset) }.map(\.element)
    }

    /// Promised warnings that no random execution showed.
    var missingWarnings: [WarningKind] { expectation.missingWarnings(in: [examination.promises.evidence]) }

    /// The promised warnings that some random execution showed, each with the seed of the first such execution. (A
    /// warning that was seen has a first execution, so 1 is never used.)
    var promised: [(warning: Evidence.Warning, seed: UInt64)] {
        examination.promises.evidence.warnings.map { ($0, RandomRuns.seed(of: $0.first?.number ?? 1, in: plan)) }
    }

    /// The exit code of the command.
    func code(_ findings: [ExplainedFinding]) -> ExitCode {
        if result.stop == .interrupted { return .interrupted(by: result.signal) }
        let isExpected = result.findings.allSatisfy { expectation.allowed.contains($0.kind) }
        let isSound = result.discrepancy == nil && !findings.contains(where: \.endedOtherwise)
        let isComplete = missing.isEmpty && missingStates.isEmpty && missingWarnings.isEmpty
        return isExpected && isSound && isComplete && !hasSeenNoEnd ? .expected : .finding
    }

    // MARK: - As text

    /// A sentence on whether the scenario meets its expectations or, if nothing is known of it, on what can be done.
    /// Nil: another part of the report says it.
    var comment: String? {
        if result.discrepancy != nil || result.stop == .interrupted { return nil }
        let label = plan.scenario.label.printable
        if hasSeenNoEnd {
            let more =
                switch ProofWords.remedy(evidence) {
                case .time: "--time allows more. "
                case .steps: mayRaiseSteps ? "--max-steps allows more. " : ""
                // The gap's own sentence says it.
                case .memory, nil: nil as String?
                }
            guard let more else { return nil }
            return "\(more)An execution that waits for what no thread of the program does, as for input, never ends."
        }
        if !missing.isEmpty {
            let kinds = missing.map(\.rawValue).joined(separator: " or ")
            return "Not as expected: some execution should end in \(kinds), but none did."
        }
        if !missingStates.isEmpty {
            let states = missingStates.map { "'\($0.printable)'" }.joined(separator: " or ")
            return "Not as expected: no execution reached \(states)."
        }
        if !missingWarnings.isEmpty {
            let count = Self.count(examination.count, "random execution")
            let names = missingWarnings.map(\.rawValue).joined(separator: " or ")
            return "Not as expected: some run should show warning \(names), but none of \(count) did."
        }
        guard conclusion != .finding else { return nil }
        let calls =
            conclusion == .proved && plan.scenario.claimsLinearizability
            ? " In every execution, the calls and their results are linearizable." : ""
        return "As expected: '\(label)' \(expectation.description).\(calls)"
    }

    /// Whether the search ended at a finding that is expected, and so looked for nothing else.
    var endedAtExpected: Bool {
        conclusion == .finding && !plan.goal.keepsGoing && !result.isProof && result.stop == nil
            && result.findings.allSatisfy { expectation.allowed.contains($0.kind) }
    }

    /// The questions that a search leaves open because it ended at an expected finding.
    var openQuestions: [String] {
        guard endedAtExpected else { return [] }
        let claims = plan.scenario.hasClaims ? ", and whether the program's claims hold," : ""
        return [
            "The search ended at a finding that is expected. Whether there are others\(claims) is open; '--keep-going' looks "
                + "for them."
        ]
    }

    /// Whether a higher step limit is possible. Under a weaker memory model, the number of steps has a fixed limit.
    private var mayRaiseSteps: Bool { plan.rules.followedModel == .sc && result.stepLimit < Rules.mostSteps }

    /// Whether nothing is known of the program: no execution ended, and nothing was found.
    private var hasSeenNoEnd: Bool { evidence.hasSeenNoEnd && result.findings.isEmpty }

    /// What was seen of a program whose executions have not ended.
    var nothingSeen: String { ProofWords.nothingSeen(evidence) }

    /// What a complete search says of all executions or states or, if there are findings, of all others.
    var proof: String {
        let (explored, premises) = (result.explored, result.premises(plan))
        return ProofWords.claim(explored, premises, isOfRest: !result.findings.isEmpty)
    }

    /// The rules under which a search was complete, to be added to a sentence: `, under any memory model`.
    var scope: String {
        let premises = result.premises(plan)
        return ProofWords.time(premises) + ProofWords.scope(result.explored, premises)
    }

    /// Whether `nothingSeen` already says that the time was too short, so that the report need not repeat it.
    var namesTime: Bool {
        hasSeenNoEnd && evidence.cut == nil && evidence.visited == 0 && evidence.extent == .part(.time)
    }

    /// Sentences on why the search was incomplete. Empty if it was complete.
    var gaps: [String] { result.gaps.compactMap(sentence) }

    /// A sentence on a gap. Nil: the report mentions the gap elsewhere.
    private func sentence(_ gap: Gap) -> String? {
        switch gap {
        case .abandoned(.misjudged):
            return
                "Partial-order search was abandoned: something other than its steps decided what threads could do. If all of the program is "
                + "compiled by 'threadlab cc', without assembly, that is a mistake of threadlab: please report it."
        case .abandoned(let obstacle):
            let search = obstacle.isOfGraphs ? "The search of graphs" : "Partial-order search"
            return "\(search) was abandoned: \(obstacle)."
        case .noProver(let part):
            return
                "No proof: \(part.printable) has no search by graphs yet, so executions were tried one by one and at random."
        case .cutOff(let executions):
            // An undecided result says this itself, and a finding is one even if other executions were cut off.
            if hasSeenNoEnd || conclusion == .finding && !plan.goal.keepsGoing { return nil }
            let most = result.stepLimit
            let cut = ProofWords.cutOff(.init(executions: executions, steps: most), of: result.counts.executions)
            let more = mayRaiseSteps ? "; --max-steps \(min(most * 10, Rules.mostSteps)) allows more" : ""
            return "No proof: \(cut)\(more)."
        case .hashes(let chance):
            return "All states that were found were visited, but compared by hashes of 64 bits: the probability that "
                + "one was missed is below \(ChanceText.text(chance)). Executions that never end were not looked for."
        case .memory:
            let memory = ReadableBytes.text(Int64(plan.settings.states.memory))
            return "The states needed more than \(memory) of memory; --memory allows more."
        case .swarm(let coverage):
            let searches =
                coverage.searches == 1 ? "1 search" : "\(coverage.searches) searches, each in an order of its own,"
            return "\(searches) visited up to "
                + "\(Self.count(coverage.mostStates, "state")), and none came to the end of all within its time and memory. What "
                + "no search has visited is not known; more tasks, or --memory, visit more."
        case .bound:
            return "The search covered everything within its bound; executions beyond the bound were not explored."
        case .wider(let freedom): return sentence(onWider: freedom)
        case .escaped(let sentence): return "No proof: \(sentence.printable)"
        case .unfinished, .uncontrolled: return nil
        }
    }

    /// A sentence on an incomplete search under wider rules, which allow a spurious wake-up or weak orders. Nil: the
    /// search under the plan's own rules found something, or is incomplete for another reason, which is reported.
    private func sentence(onWider freedom: WiderSearch.Freedom) -> String? {
        let isOtherwiseProved = result.gaps.allSatisfy { $0.kind == .wider }
        guard conclusion != .finding, isOtherwiseProved,
            let search = result.wider.first(where: { $0.freedom == freedom })
        else { return nil }
        return switch freedom {
        case .spurious:
            "No proof \(ProofWords.withOne(result.premises(plan))): \(extent(search)). Without one: \(wholeClaim). '--spurious 0' searches "
                + "no more than that."
        case .weakOrders:
            "No proof under rc11, which its memory orders ask for: \(extent(search)). Under sc: \(wholeClaim). '--model sc' searches no "
                + "more than that."
        }
    }

    /// How much a search under wider rules has tried.
    private func extent(_ search: WiderSearch) -> String {
        if let obstacle = search.obstacle { return obstacle.printable }
        let (executions, states) = (search.result.counts.executions, search.result.counts.states)
        if executions + states == 0 { return "there was no time" }
        let count = executions > 0 ? Self.count(executions, "execution") : Self.count(states, "state")
        let why = search.result.obstacles.first.map { ": \($0)" } ?? ""
        return "\(count) \(max(executions, states) == 1 ? "was" : "were") tried, and not all there are\(why)"
    }

    /// What the search under the plan's own rules alone has proved.
    private var wholeClaim: String {
        let noun = result.explored.noun
        return result.explored.count == 1
            ? "the only \(noun) passes" : "none of \(Self.count(result.explored.count, noun)) fails"
    }

    /// A sentence on memory that a proof does not cover, because the lab does not see its accesses. Empty for a `.lab`
    /// program, all of whose memory accesses are steps.
    private var unseen: [String] {
        conclusion == .proved
            ? plan.scenario.unseen.map { ["Every order of the lab's steps was tried. \($0)"] } ?? [] : []
    }

    /// Assumptions behind the result, beyond the default ones, and what it does not cover.
    var premises: [String] { unseen + assumptionsOnMemory + uncountedWakeUps + assumptionOnTime }

    /// A count of outcomes covers one set of rules, in which spurious wakeups may be missing.
    private var uncountedWakeUps: [String] {
        let traits = plan.scenario.traits ?? result.counts.traits
        guard plan.goal.countsTerminals, traits.maySpuriously, plan.rules.spuriousWakeups == 0 else { return [] }
        return ["These are the executions without spurious wake-ups; --spurious 1 counts those with one, too."]
    }

    /// What a proof under a weak memory model assumes, or why a search under sc was enough.
    private var assumptionsOnMemory: [String] {
        guard conclusion == .proved else { return [] }
        if plan.rules.model != .sc, plan.rules.isSequential {
            return [
                "All orders are seqcst and no execution has a data race, so every memory model allows what was searched under sc "
                    + "(DRF-SC)."
            ]
        }
        if result.premises(plan).model == MemoryModel.rc11.rawValue {
            return [
                "Assumes that no read depends on a later store of its own thread (no load buffering), as rc11 does."
            ]
        }
        return []
    }

    private var assumptionOnTime: [String] {
        guard result.counts.timed > 0, plan.rules.timeouts == .lazy, conclusion != .finding, conclusion != .undecided
        else { return [] }
        return [
            "Assumes time advances only when every thread is blocked or repeats itself; use --timeouts any to explore slow threads too."
        ]
    }

    /// For each promised warning, a sentence on how often it was seen.
    var frequencies: [String] {
        promised.map { warning, seed in
            "Promised: warning \(warning.kind.rawValue), seen in \(warning.count) of "
                + "\(Self.count(examination.count, "random execution")), first with seed \(seed)."
        }
    }

    /// `1 execution`, `2 executions`.
    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}

/// Random executions after the search, examined by all detectors: whether they show the warnings that the scenario
/// promises, and the findings in those that completed.
struct RandomExamination {
    /// The promised warnings that the executions showed; locks taken in different orders, if that is sought; and
    /// outcomes that are not allowed.
    private(set) var promises = RandomEvidence()
    /// The number of executions that completed, those with locks taken in different orders included.
    private(set) var goodEnds = 0
    /// The findings in executions that completed.
    private(set) var tally = FindingTally()

    init() {}

    /// - Parameters:
    ///   - orders: the number of executions of the search, if it was complete: if it is small, few random ones suffice.
    ///   - seeksLockOrder: whether locks taken in different orders are a finding. If not, they are a warning.
    init(_ plan: SearchPlan, orders: Int?, seeksLockOrder: Bool) throws(SupervisionFailed) {
        let warnings = plan.scenario.expectation.warnings
        var goodEnds = 0
        var tally = FindingTally()
        promises = try RandomEvidence(plan, orders: orders, seeksLockOrder: seeksLockOrder) { run, number in
            guard let kind = run.trace.outcome?.kind, kind == .completed || kind == .lockOrder else { return }
            goodEnds += 1
            let reported = run.findings.filter { finding in
                let isPromised = finding.code.warning.map(warnings.contains) ?? false
                return (isPromised || finding.severity != .note) && !(seeksLockOrder && finding.code == .lockOrder)
            }
            tally.add(reported, of: run.trace, number)
        }
        self.goodEnds = goodEnds
        self.tally = tally
    }

    /// The number of executions examined.
    var count: Int { promises.evidence.runs }
}
