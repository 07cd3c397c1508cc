import Diagnosis
import Exploration
import Glibc
import Machine
import Trace

/// Shrinks a finding's schedule in processes that may crash or hang, and repeats it once to record its trace.
struct FindingSupervisor {
    private let plan: SearchPlan
    private let finding: Counterexample
    private let signals: BlockedSignals
    private let interruption: Interruption
    /// The maximum number of steps for each method of shrinking. With this limit, the result depends on how fast the
    /// machine is only if shrinking is ended by the deadline.
    private let patience: Int
    /// When shrinking ends.
    private let deadline: Deadline
    /// When the command ends.
    private let end: Deadline
    /// Whether this is the first finding of the search, which is repeated even if no time is left.
    private let isFirst: Bool

    /// The values of `patience` for a finding that is shrunk thoroughly, and for one of many.
    private static let fullPatience = 3_000_000
    private static let littlePatience = 300_000
    /// The number of steps that a run may take beyond those of a finding of the search by states.
    private static let stepsBeyondFinding = 1000
    /// The time after the deadline that a shrinking process has to end by itself, in nanoseconds.
    private static let grace: UInt64 = 100_000_000
    /// The minimum time for the repetition of the first finding, in nanoseconds.
    private static let reprieve: UInt64 = 400_000_000

    /// - Parameters:
    ///   - deadline: when shrinking ends.
    ///   - end: when the command ends.
    static func explain(
        _ finding: Counterexample, _ plan: SearchPlan, _ signals: BlockedSignals, _ interruption: Interruption,
        isFirst: Bool, isOneOfMany: Bool, shrinking deadline: Deadline, until end: Deadline
    ) throws(SupervisionFailed) -> ExplainedFinding {
        var plan = plan
        // The search by states has no step limit.
        if finding.strategy == .states {
            plan.rules.maximumSteps = max(plan.rules.maximumSteps, finding.schedule.stepCount + Self.stepsBeyondFinding)
        }
        return try FindingSupervisor(
            plan: plan, finding: finding, signals: signals, interruption: interruption,
            patience: isOneOfMany ? Self.littlePatience : Self.fullPatience, deadline: deadline, end: end,
            isFirst: isFirst
        ).explain()
    }

    /// Why fewer attempts were made than planned.
    private var cut: ExplainedFinding.Cut? {
        if interruption.hasCome { return .interrupted }
        return deadline.isOver || end.isOver ? .time : nil
    }

    private func explain() throws(SupervisionFailed) -> ExplainedFinding {
        let begin = Deadline.now
        let shrunk = try shrink()
        let wasRefused = shrunk == nil && cut == nil
        // A schedule that is known to be the minimum cannot be shrunk further.
        let wasCut = shrunk.map { $0.endedByTime || cut != nil && $0.minimality != .steps } ?? false
        let shrinking = wasCut ? Deadline.now - begin : nil
        if let found = try findingWithoutSpurious(shrunk, shrinking) { return found }
        let run = try follow(shrunk?.schedule ?? finding.schedule, limit: shrunk?.limit)
        guard isFatal, let shrunk, run.trace.fatalPlace != finding.place else {
            var explained = ExplainedFinding(
                finding: finding, shrunk: shrunk, cut: cut, run: run, wasRefused: wasRefused, shrinking: shrinking)
            explained.context = try context(of: explained, plan.rules)
            return explained
        }
        // The shrunk schedule leads to a different crash or hang.
        let original = Rehearsal(finding.identity, finding.schedule, shrunk.original)
        return ExplainedFinding(
            finding: finding, shrunk: Shrunk(original, original: shrunk.original, .unknown),
            cut: cut, run: try follow(finding.schedule), shrinking: shrinking)
    }

    /// The same finding under rules without spurious events. Nil: the search allowed no such events, the finding needs
    /// one, or it was not repeated in time.
    private func findingWithoutSpurious(
        _ shrunk: Shrunk?, _ shrinking: UInt64?
    ) throws(SupervisionFailed) -> ExplainedFinding? {
        guard plan.rules.spuriousWakeups > 0, let shrunk, !end.isOver else { return nil }
        var finding = finding
        finding.rules = plan.rules
        finding.rules?.spuriousWakeups = 0
        let run = try follow(shrunk.schedule, limit: shrunk.limit, under: finding.rules)
        guard run.trace.outcome?.kind == finding.kind, run.trace.events.last?.kind != .runDiverged else { return nil }
        // The shrunk schedule may lead to a different crash or hang.
        if isFatal && run.trace.fatalPlace != finding.place { return nil }
        var explained = ExplainedFinding(finding: finding, shrunk: shrunk, cut: cut, run: run, shrinking: shrinking)
        explained.context = try context(of: explained, finding.rules ?? plan.rules)
        return explained
    }

    // MARK: - The account

    /// The steps of the finding's account on which it does not depend, by the numbers of their events. Empty if they
    /// were not sought: for a run that is shown as a whole, for a program that ends its process, and if no time is left.
    private func context(of explained: ExplainedFinding, _ rules: Rules) throws(SupervisionFailed) -> Set<Int> {
        do throws(SupervisionFailed) {
            return try soughtContext(of: explained, rules)
        } catch {
            // Without memory or a process for it, the account has no such marks.
            if error.bug != nil { throw error }
            return []
        }
    }

    private func soughtContext(of explained: ExplainedFinding, _ rules: Rules) throws(SupervisionFailed) -> Set<Int> {
        guard !isFatal, let shrunk = explained.shrunk, explained.isConfirmed, let deciding = explained.deciding,
            AccountCheck.steps.contains(shrunk.cost.steps), !deadline.isOver
        else { return [] }
        let account = Account(of: deciding, in: explained.trace)
        guard account.steps.contains(where: { $0.role == .cause }) else { return [] }
        var replay = RunPlan(plan.scenario, .replay(shrunk.schedule), rules: rules)
        if let limit = shrunk.limit { replay.rules.maximumSteps = limit }
        replay.isSilent = true
        replay.end = deadline
        let run = try Stepper(replay).step(StepPlan(shrunk.schedule, then: .byDefault))
        guard run.misfit == nil, run.trace.events.count == explained.trace.events.count else { return [] }
        let check = AccountCheck(account, run)
        let choices = try SharedChoices(capacity: plan.rules.maximumSteps)
        var found: [Int] = []
        var process = try WatchedProcess(choices, signals) { mailbox in
            let subject = RaceSubject(
                plan.scenario.makeSubject(replay.rules, log: choices.log), mayBeCutOff: false, stepsAfterRace: .max)
            let stage = SubjectStage(
                subject, patience: ShrinkingPatience(steps: patience) { deadline.isOver }, towards: finding.identity)
            var words = WordWriter()
            words.add(check.context(stage, finding.identity)) { $0.add($1) }
            mailbox.send(words)
        }
        // A step that comes elsewhere may end the process, or make it hang: then nothing is known.
        while true {
            if WatchedProcess.awaitNews(of: [process])[0] {
                do throws(DamagedMessage) {
                    let isThere = try process.receive { words throws(DamagedMessage) in
                        found = try words.list { words throws(DamagedMessage) in try words.count() }
                    }
                    if isThere { continue }
                } catch {
                    found = []
                }
                process.end()
                return Set(found)
            }
            if interruption.hasCome || deadline.isOver(by: Self.grace)
                || plan.scenario.runsOwnCode && process.isStuck(for: plan.stepTime)
            {
                process.end()
                return []
            }
        }
    }

    /// Runs the program with this schedule once, and records its trace.
    ///
    /// - Parameters:
    ///   - limit: the step limit. Nil: that of the search.
    ///   - rules: the rules. Nil: those of the search.
    private func follow(
        _ schedule: Schedule, limit: Int? = nil, under rules: Rules? = nil
    ) throws(SupervisionFailed) -> SupervisedRun {
        var replay = RunPlan(plan.scenario, .replay(schedule), rules: rules ?? plan.rules)
        if let limit { replay.rules.maximumSteps = limit }
        replay.isExamined = true
        replay.keepsCrashMessage = finding.kind == .crash
        replay.explainer = try plan.makeExplainer()
        // A thread that computes without end may be preceded by sleeps, which the time has to allow for.
        let pauses = min(UInt64(schedule.stepCount) * Self.pauseOfStep, Self.mostPauses)
        replay.timeout =
            finding.kind == .timeout ? plan.replayTime + pauses : min(replay.timeout, max(end.left, plan.replayTime))
        let runEnd = interruption.deadline ?? (isFirst ? end.orAfter(Self.reprieve) : end)
        replay.end = runEnd
        if runEnd.isOver {
            var nothing = try Supervisor.nothing(of: replay)
            nothing.trace.header.schedule = schedule.description
            return nothing
        }
        var run = try Supervisor.finish(replay)
        if finding.isOfClaim { run.trace.turn(to: finding.identity, guide: plan.scenario.guide) }
        if let signal = run.trace.interruption { interruption.note(signal) }
        return run
    }

    /// The time for sleeps in the repetition of a hang, in nanoseconds: for each step, and the maximum for all.
    private static let pauseOfStep: UInt64 = 10_000_000
    private static let mostPauses: UInt64 = 20_000_000_000

    private var isFatal: Bool { finding.kind == .crash || finding.kind == .timeout }

    // MARK: - Shrinking

    /// Nil if the schedule no longer leads to the finding, or the time did not suffice to check.
    private func shrink() throws(SupervisionFailed) -> Shrunk? {
        if isFatal { return try shrinkInForks(nil) }
        var best: Shrunk?
        let choices = try SharedChoices(capacity: plan.rules.maximumSteps)
        // A long execution is first repeated, to find its race, even if no time is left for shrinking.
        let processEnd = mayBeCutShort ? deadline.orAfter(plan.replayTime) : deadline
        var process = try WatchedProcess(choices, signals) { mailbox in
            if let short = cutShort(choices.log) {
                mailbox.send(short)
                shrink(short.schedule, limit: short.limit, choices.log) { mailbox.send($0) }
            } else {
                shrink(finding.schedule, limit: nil, choices.log) { mailbox.send($0) }
            }
        }
        while true {
            if WatchedProcess.awaitNews(of: [process])[0] {
                do throws(DamagedMessage) {
                    if try process.receive({ words throws(DamagedMessage) in best = try words.message() }) {
                        continue
                    }
                    process.reap()
                } catch {
                    process.end()
                    return try shrinkInForks(best)
                }
                return process.isDone ? best : try shrinkInForks(best)
            }
            if interruption.hasCome || processEnd.isOver(by: Self.grace) {
                process.end()
                return best
            }
            if plan.scenario.runsOwnCode && process.isStuck(for: plan.stepTime) {
                process.end()
                return try shrinkInForks(best)
            }
        }
    }

    /// Shrinks the schedule in this process.
    ///
    /// - Parameters:
    ///   - limit: the step limit. Nil: that of the search.
    ///   - improved: called with each better result.
    private func shrink(
        _ schedule: Schedule, limit: Int?, _ log: ChoiceMemory, improved: (Shrunk) -> Void
    ) {
        let time = ShrinkingTime(.thread, of: plan.time)
        let shrunk = Shrinker.shrink(
            schedule, to: finding.identity, on: subject(limit, log),
            patience: ShrinkingPatience(steps: patience) { deadline.isOver || time.isOver($0) },
            improved: { improved($0.with(limit: limit == nil ? nil : $0.cost.steps)) })
        if let shrunk { improved(shrunk.with(limit: limit == nil ? nil : shrunk.cost.steps)) }
    }

    /// The program, for attempts at shrinking.
    ///
    /// - Parameter limit: the step limit. Nil: that of the search.
    private func subject(_ limit: Int?, _ log: ChoiceMemory) -> RaceSubject {
        var rules = plan.rules
        if let limit { rules.maximumSteps = limit }
        // If the execution of the finding was not cut off at the step limit, the shrunk one must not be either: a race
        // is easier to understand in an execution that ends.
        return RaceSubject(
            plan.scenario.makeSubject(rules, log: log), mayBeCutOff: finding.steps >= rules.maximumSteps,
            stepsAfterRace: limit == nil ? .max : Self.stepsShownAfterRace)
    }

    // MARK: - Races of long executions

    /// If an execution has more steps than this after its race, only the first `stepsShownAfterRace` of them are shown.
    /// The others, which may be a million, do not matter to the race.
    private static let mostStepsAfterRace = 1000
    private static let stepsShownAfterRace = 20

    private var mayBeCutShort: Bool { finding.kind == .race && finding.steps > Self.mostStepsAfterRace }

    /// The execution with a step limit soon after its race. Nil: it is not too long, or does not end in the race under
    /// this limit.
    private func cutShort(_ log: ChoiceMemory) -> Shrunk? {
        guard mayBeCutShort else { return nil }
        let whole = subject(nil, log)
        let replay = LenientReplay(finding.identity.cycleSearch(on: whole))
        replay.schedule = finding.schedule
        guard whole.execute(replay) == .race, let steps = whole.stepsToRace,
            whole.stepCount - steps > Self.mostStepsAfterRace
        else { return nil }
        let limit = steps + Self.stepsShownAfterRace
        let stage = SubjectStage(subject(limit, log), patience: ShrinkingPatience(steps: limit))
        guard let rehearsal = stage.rehearse(finding.schedule), rehearsal.end == finding.identity else { return nil }
        return Shrunk(rehearsal, original: rehearsal.cost, .unknown, limit: limit)
    }

    // MARK: - In other processes

    /// Shrinks the schedule by attempts in separate processes, for a program that ends its process or hangs.
    ///
    /// - Parameter start: the best result so far. Nil: there is none.
    private func shrinkInForks(_ start: Shrunk?) throws(SupervisionFailed) -> Shrunk? {
        var plan = plan
        if let limit = start?.limit { plan.rules.maximumSteps = limit }
        let time = finding.kind == .timeout ? nil : ShrinkingTime(.processes, of: plan.time)
        let stage = try ForkedStage(plan, length: finding.steps, signals, interruption, within: time, until: deadline)
        let schedule = start?.schedule ?? finding.schedule
        let end = isFatal ? stage.rehearse(schedule)?.end : finding.identity
        let shrunk = end.flatMap { $0.kind == finding.kind ? Shrinker.shrink(schedule, to: $0, on: stage) : nil }
        if let failure = stage.failure { throw failure }
        guard let shrunk else { return cut == nil ? nil : start }
        return Shrunk(
            shrunk.rehearsal, original: start?.original ?? shrunk.original, .unknown, limit: start?.limit,
            endedByTime: stage.endedByTime)
    }
}

extension TraceDocument {
    /// If the run breaks several claims, makes the outcome that of this finding.
    fileprivate mutating func turn(to finding: Counterexample.Identity, guide: String?) {
        var rest = self
        rest.events.removeAll { isAboutAnotherClaim($0, than: finding) }
        guard rest.events.count < events.count else { return }
        let outcome = OutcomeJudge.outcome(of: rest, guide: guide)
        if outcome.kind == finding.kind { self.outcome = outcome }
    }

    private func isAboutAnotherClaim(_ event: Event, than finding: Counterexample.Identity) -> Bool {
        guard event.kind.isOfClaim else { return false }
        // The same text may be the claim of a promise and of a claim that the program calls broken.
        let isBroken = event.kind.effect == .fail(.brokenClaim)
        return isBroken != (finding.kind == .brokenClaim) || text(of: event).map(ClaimEnd.place) != finding.place
    }

    /// A number that is equal for runs whose processes ended at the same line in the same way, and different for almost
    /// all others.
    var fatalPlace: Int {
        var hash = StateHash()
        if let end = events.last(where: { $0.kind.endsRun }) {
            hash.add(Int(end.kind.rawValue))
            hash.add(end.kind == .runTimeout ? 0 : Int(end.value))
        }
        let isOfCrash = { (kind: EventKind) in kind == .runMessage || kind == .crashReason }
        if let last = events.last(where: { !$0.kind.endsRun && !isOfCrash($0.kind) }) {
            for byte in (site(last.site)?.shortDescription ?? "").utf8 { hash.add(Int(byte)) }
        }
        return Int(truncatingIfNeeded: hash.value)
    }

    /// Whether a signal asked threadlab to end during the run.
    package var wasInterrupted: Bool { events.last?.kind == .runInterrupted }

    /// The signal that interrupted the run, or nil.
    package var interruption: Int32? {
        events.last.flatMap { wasInterrupted ? Int32(truncatingIfNeeded: $0.value) : nil }
    }
}
