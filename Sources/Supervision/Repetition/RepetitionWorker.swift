import Authoring
import Diagnosis
import Execution
import Exploration
import Machine
import Trace

/// What a child process of a repetition does: it makes one run after the other, taking portions of runs from the board.
struct RepetitionWorker {
    let plan: RepetitionPlan
    let board: RepetitionBoard
    let slot: RepetitionSlot
    let mailbox: Mailbox
    /// Whether it first checks that runs in one process are independent of each other.
    let checksRepetition: Bool
    /// If the process replaces one that was ended by a run: the runs that were left of that process's portion.
    let rest: Range<Int>
    private let fibers = SpareFibers()

    /// By the raw value of a verdict: the index of its outcome. A run that reaches the step limit counts as one that
    /// takes too long.
    private static let positions: [Int] = (0...(Verdict.allCases.map { Int($0.rawValue) }.max() ?? 0)).map { raw in
        let verdict = Verdict(rawValue: UInt8(raw))
        return position(of: verdict == .stepLimit ? .timeout : verdict?.outcome ?? .interrupted)
    }

    private static func position(of kind: OutcomeKind) -> Int { OutcomeKind.allCases.firstIndex(of: kind)! }

    func run() {
        if checksRepetition { checkRepetition() }
        let walk = RandomWalk(seed: plan.seed)
        let subject = RaceSubject(plan.scenario.makeSubject(plan.rules, log: nil))
        // Only events show the order of locks, so such runs are judged from events.
        let isJudged = plan.scenario.judgesLockOrder
        var runs: Range<Int>? = rest
        while let portion = runs {
            for number in portion {
                if board.isStopped { return slot.idle() }
                slot.begin(number, end: portion.upperBound)
                let seed = plan.seed &+ UInt64(number)
                if isJudged {
                    slot.note(Self.position(of: judgedOutcome(seed)), of: number)
                } else {
                    walk.restart(seed: seed)
                    slot.note(Self.positions[Int(subject.execute(walk).rawValue)], of: number)
                }
            }
            slot.idle()
            runs = board.takeRuns()
        }
    }

    private func judgedOutcome(_ seed: UInt64) -> OutcomeKind {
        // The header of any run will do: the outcome's kind does not depend on the seed in it.
        let sink = DocumentSink(header: plan.run(0).header)
        let walk = RandomWalk(seed: seed)
        _ = ControlledExecution(plan.scenario, walk, into: sink, rules: plan.rules, fibers: fibers).run()
        return OutcomeJudge.outcome(of: sink.document, judgesLockOrder: true).kind
    }

    private func checkRepetition() {
        let subject = plan.scenario.makeSubject(plan.rules, log: nil)
        if let discrepancy = RepetitionCheck.discrepancy(of: subject, seed: plan.seed) { mailbox.send(discrepancy) }
    }
}
