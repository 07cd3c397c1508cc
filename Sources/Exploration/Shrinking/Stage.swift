import Machine

/// Runs executions to try out schedules, in this process or in another one.
package protocol Stage: AnyObject {
    /// Runs an execution that follows the plan as far as possible. Nil: no more attempts are allowed.
    func rehearse(_ plan: Schedule) -> Rehearsal?
}

/// The result of an execution that followed a plan as far as possible.
package struct Rehearsal: Equatable, Sendable {
    /// How the execution ended. Nil: it was cut off.
    package let end: Counterexample.Identity?
    /// The choices that were made.
    package let schedule: Schedule
    package let cost: ScheduleCost

    package init(_ end: Counterexample.Identity?, _ schedule: Schedule, _ cost: ScheduleCost) {
        self.end = end
        self.schedule = schedule
        self.cost = cost
    }
}

/// Tries plans out on a subject in this process.
package final class SubjectStage: Stage {
    private let subject: any Subject
    private let replay: LenientReplay
    /// The number of preemptions of the last execution.
    private let preemptions: UnsafeMutablePointer<Int>
    private let goal: Counterexample.Identity?
    private var patience: ShrinkingPatience

    /// - Parameters:
    ///   - patience: the effort for all plans together.
    ///   - goal: the finding to which plans should lead. Nil: no particular one.
    package init(_ subject: any Subject, patience: ShrinkingPatience, towards goal: Counterexample.Identity? = nil) {
        self.subject = subject
        self.goal = goal
        replay = LenientReplay(goal?.cycleSearch(on: subject) ?? .sometimes)
        self.patience = patience
        preemptions = .allocate(capacity: 1)
        preemptions.initialize(to: 0)
        subject.observers = [PreemptionCount(into: preemptions)]
    }

    deinit {
        subject.observers = []
        preemptions.deallocate()
    }

    package func rehearse(_ plan: Schedule) -> Rehearsal? {
        guard patience.isLeft else { return nil }
        replay.schedule = plan
        let verdict = subject.execute(replay)
        patience.steps -= subject.stepCount
        return subject.rehearsal(verdict, preemptions: preemptions.pointee, towards: goal)
    }
}

extension Subject {
    /// The last execution as a rehearsal.
    ///
    /// - Parameter goal: becomes the rehearsal's end if the execution also ended in this way: an execution can break
    ///   several claims.
    package func rehearsal(
        _ verdict: Verdict, preemptions: Int, towards goal: Counterexample.Identity? = nil
    ) -> Rehearsal {
        var end = verdict.outcome.map { Counterexample.Identity(kind: $0, place: $0 == .completed ? 0 : place) }
        if let goal, let found = end, found != goal {
            let isOther =
                verdict.isOfClaim && otherBrokenClaims.contains { Counterexample.Identity($0) == goal }
            if isOther || goal.isAnyCycle && found.kind == goal.kind { end = goal }
        }
        return Rehearsal(end, schedule, ScheduleCost(preemptions: preemptions, steps: stepCount))
    }
}

/// A schedule as runs: each is a thread's consecutive steps, with their alternatives.
struct Runs {
    struct Run {
        let thread: Int
        /// For each step, its choices: the thread, and the alternatives that are chosen before the next step.
        var steps: [[Schedule.Choice]]
    }

    private(set) var runs: [Run] = []

    init(_ schedule: Schedule) {
        for choice in schedule.choices {
            // An alternative belongs to the last step.
            if choice.isAlternative && !runs.isEmpty {
                runs[runs.count - 1].steps[runs[runs.count - 1].steps.count - 1].append(choice)
            } else if runs.last?.thread == choice.index && !choice.isAlternative {
                runs[runs.count - 1].steps.append([choice])
            } else {
                runs.append(Run(thread: choice.index, steps: [[choice]]))
            }
        }
    }

    var count: Int { runs.count }

    var schedule: Schedule { Schedule(runs.flatMap { $0.steps.joined() }) }

    func length(_ index: Int) -> Int { runs[index].steps.count }

    // MARK: - Changes

    func dropping(_ range: Range<Int>) -> Runs {
        var copy = self
        copy.runs.removeSubrange(range)
        return copy
    }

    /// These runs without the last steps of one of them.
    func trimming(_ index: Int, by count: Int) -> Runs {
        var copy = self
        copy.runs[index].steps.removeLast(count)
        return copy
    }

    /// These runs, with one of them moved up to right after the previous run of its thread. Nil: it has none.
    func movingUp(_ index: Int) -> Runs? {
        guard let earlier = runs[..<index].lastIndex(where: { $0.thread == runs[index].thread }) else { return nil }
        var copy = self
        let run = copy.runs.remove(at: index)
        copy.runs.insert(run, at: earlier + 1)
        return copy
    }

    /// These runs, with one of them moved down to right before the next run of its thread. Nil: it has none.
    func movingDown(_ index: Int) -> Runs? {
        guard let later = runs[(index + 1)...].firstIndex(where: { $0.thread == runs[index].thread }) else {
            return nil
        }
        var copy = self
        let run = copy.runs.remove(at: index)
        copy.runs.insert(run, at: later - 1)
        return copy
    }
}

/// Follows a schedule as far as possible, and skips choices that cannot be made. When no choice is left, it prefers the
/// thread that ran, then the enabled thread with the lowest number, and the first alternative.
package final class LenientReplay: Chooser {
    package var schedule = Schedule()
    package let cycleSearch: CycleSearch
    private var position = 0
    package var plan: ChoosersPlan { position < schedule.choices.count ? .followed : .over }

    /// - Parameter cycleSearch: when the driver looks for cycles.
    package init(_ cycleSearch: CycleSearch = .sometimes) { self.cycleSearch = cycleSearch }

    package func begin() { position = 0 }

    package func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        while position < schedule.choices.count {
            let choice = schedule.choices[position]
            position += 1
            if !choice.isAlternative && enabled.contains(UInt16(choice.index)) { return UInt16(choice.index) }
        }
        return chooseByDefault(enabled, last: last)
    }

    package func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        guard position < schedule.choices.count, schedule.choices[position].isAlternative else { return 0 }
        let way = schedule.choices[position].index
        position += 1
        return way < count ? way : 0
    }
}
