import Machine

/// Tries plans out on a subject in this process.
package final class SubjectStage: Stage {
    private let subject: any Subject
    private let replay: LenientReplay
    private let preemptions: UnsafeMutablePointer<Int>
    /// The number of steps left.
    private var patience: Int

    /// - Parameters:
    ///   - patience: the maximum number of steps in total.
    ///   - cycleSearch: when cycles are looked for.
    package init(_ subject: any Subject, patience: Int, _ cycleSearch: CycleSearch = .sometimes) {
        self.subject = subject
        replay = LenientReplay(cycleSearch)
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
        return subject.rehearsal(verdict, preemptions: preemptions.pointee)
    }
}

extension Subject {
    /// The last execution as a rehearsal.
    package func rehearsal(_ verdict: Verdict, preemptions: Int) -> Rehearsal {
        let end = verdict.outcome.map { Counterexample.Identity(kind: $0, place: $0 == .completed ? 0 : place) }
        return Rehearsal(end, schedule, ScheduleCost(preemptions: preemptions, steps: stepCount))
    }
}
