import Exploration
import Glibc
import Machine
import Trace

/// Tries out schedules on a program that may end its process or hang, each in a separate process. Such a program's
/// findings are shrunk in this way.
final class ForkedStage: Stage {
    private let plan: SearchPlan
    private let length: Int
    private let signals: BlockedSignals
    private let interruption: Interruption
    private let deadline: Deadline
    private let choices: SharedChoices
    /// The number of preemptions of the attempt, which the process counts.
    private let preemptions: SharedMemory
    /// The number of attempts that are left. Counting attempts, rather than time, makes the result reproducible.
    private var attempts = mostAttempts
    private static let mostAttempts = 400
    /// The attempts that find out whether the schedule leads to the finding at all. They are made whatever their time.
    private static let firstAttempts = 2
    /// The number of attempts that may still hang. They are few, because each takes long.
    private var hangs = 6
    /// The time for all attempts. Nil: attempts that hang limit it.
    private let time: ShrinkingTime?
    /// Whether attempts were left when the time was over.
    private(set) var endedByTime = false
    /// The time after the deadline that an attempt has to end by itself, in nanoseconds.
    private static let grace: UInt64 = 100_000_000
    /// An error of threadlab itself.
    private(set) var failure: SupervisionFailed?

    /// - Parameters:
    ///   - length: the number of steps of the execution that was found.
    ///   - time: the time for all attempts. Nil: attempts that hang limit it.
    init(
        _ plan: SearchPlan, length: Int, _ signals: BlockedSignals, _ interruption: Interruption,
        within time: ShrinkingTime?, until deadline: Deadline
    ) throws(SupervisionFailed) {
        self.time = time
        self.plan = plan
        self.length = length
        self.signals = signals
        self.interruption = interruption
        self.deadline = deadline
        choices = try SharedChoices(capacity: plan.rules.maximumSteps)
        preemptions = try SharedMemory(size: MemoryLayout<Int>.size, for: "the search")
    }

    func rehearse(_ schedule: Schedule) -> Rehearsal? {
        guard failure == nil, attempts > 0, hangs > 0, !interruption.hasCome, !deadline.isOver else { return nil }
        if let time, time.isOver, attempts <= Self.mostAttempts - Self.firstAttempts {
            endedByTime = true
            return nil
        }
        attempts -= 1
        do throws(SupervisionFailed) {
            return try attempt(schedule)
        } catch {
            failure = error
            return nil
        }
    }

    private func attempt(_ schedule: Schedule) throws(SupervisionFailed) -> Rehearsal? {
        let count = preemptions.bytes.baseAddress!.bindMemory(to: Int.self, capacity: 1)
        let choices = self.choices
        var process = try WatchedProcess(choices, signals) { mailbox in
            let replay = LenientReplay()
            replay.schedule = schedule
            let subject = RaceSubject(
                plan.scenario.makeSubject(plan.rules, log: choices.log),
                mayBeCutOff: length >= plan.rules.maximumSteps)
            subject.observers = [PreemptionCount(into: count)]
            let verdict = subject.execute(replay)
            mailbox.send(subject.rehearsal(verdict, preemptions: count.pointee))
        }
        var rehearsal: Rehearsal?
        while true {
            if WatchedProcess.awaitNews(of: [process])[0] {
                do throws(DamagedMessage) {
                    if try process.receive({ words throws(DamagedMessage) in rehearsal = try words.message() }) {
                        continue
                    }
                } catch {
                    process.end()
                    return nil
                }
                let status = process.reap()
                return rehearsal ?? fatal(.crash, status, SharedCount.clamped(count.pointee))
            }
            if process.isStuck(for: plan.stepTime) {
                process.end()
                hangs -= 1
                return fatal(.hang, 0, SharedCount.clamped(count.pointee))
            }
            if interruption.hasCome || deadline.isOver(by: Self.grace) {
                process.end()
                return nil
            }
        }
    }

    /// The result of an attempt that ended its process or hung.
    ///
    /// - Parameter status: the status of the process according to `waitpid`; 0 for a hang. It alone distinguishes
    ///   crashes, because to find out where the program was, each attempt would need another run.
    private func fatal(_ verdict: Verdict, _ status: Int32, _ preemptions: Int) -> Rehearsal {
        let schedule = choices.log.schedule
        let cost = ScheduleCost(preemptions: preemptions, steps: schedule.stepCount)
        let end = verdict.outcome.map { Counterexample.Identity(kind: $0, place: Int(status)) }
        return Rehearsal(end, schedule, cost)
    }
}
