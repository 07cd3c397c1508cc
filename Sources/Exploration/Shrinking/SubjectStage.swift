import Machine

/// Tries plans out on a subject in this process.
package final class SubjectStage: Stage {
    private let subject: any Subject
    private let replay: LenientReplay
    private let preemptions: UnsafeMutablePointer<Int>
    private let goal: Counterexample.Identity?
    /// The number of steps left.
    private var patience: Int

    /// - Parameters:
    ///   - patience: the maximum number of steps in total.
    ///   - goal: the finding that plans are to lead to. Nil: none in particular.
    package init(_ subject: any Subject, patience: Int, towards goal: Counterexample.Identity? = nil) {
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
        guard patience > 0 else { return nil }
        replay.schedule = plan
        let verdict = subject.execute(replay)
        patience -= subject.stepCount
        return subject.rehearsal(verdict, preemptions: preemptions.pointee, towards: goal)
    }
}

extension Subject {
    /// The last execution as a rehearsal.
    ///
    /// - Parameter goal: how it ended, if it did so too: an execution can break several claims.
    package func rehearsal(
        _ verdict: Verdict, preemptions: Int, towards goal: Counterexample.Identity? = nil
    ) -> Rehearsal {
        var end = verdict.outcome.map { Counterexample.Identity(kind: $0, place: $0 == .completed ? 0 : place) }
        if let goal, end != goal, verdict.isOfClaim,
            otherBrokenClaims.contains(where: { Counterexample.Identity($0) == goal })
        {
            end = goal
        }
        return Rehearsal(end, schedule, ScheduleCost(preemptions: preemptions, steps: stepCount))
    }
}
