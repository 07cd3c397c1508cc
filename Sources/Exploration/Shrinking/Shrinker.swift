import Machine

/// Simplifies the schedule of a finding, as long as it leads to the same outcome at the same place.
///
/// A schedule consists of runs: consecutive steps of one thread (`Runs`). The shrinker tries to remove runs, to merge
/// two runs of a thread, and to shorten a run (after Jalbert and Sen: A trace simplification technique for effective
/// debugging of concurrent programs, FSE 2010). It continues with each cheaper schedule, until it finds none.
package struct Shrinker {
    private let goal: Counterexample.Identity
    private let stage: any Stage
    /// The cheapest execution so far that ends in the goal.
    private(set) var best: Rehearsal
    /// Whether no more attempts are allowed.
    private(set) var isSpent = false

    /// - Returns: nil if the schedule itself does not lead to that outcome.
    package static func shrink(_ schedule: Schedule, to goal: Counterexample.Identity, on stage: any Stage) -> Shrunk? {
        guard let first = stage.rehearse(schedule), first.end == goal else { return nil }
        return shrink(first, to: goal, on: stage)
    }

    private static func shrink(_ first: Rehearsal, to goal: Counterexample.Identity, on stage: any Stage) -> Shrunk {
        var shrinker = Shrinker(goal: goal, stage: stage, best: first)
        // A short schedule is shrunk thoroughly: after each improvement from the beginning. With a long one, that would
        // take far too many attempts, each of which is long.
        let isShort = first.cost.steps <= fewSteps
        while isShort ? shrinker.shrinkRuns() : shrinker.shrinkInRound() {}
        return Shrunk(shrinker.best, original: first.cost, .unknown)
    }

    /// Shrinks the schedule in this process by three methods: by changing its runs (`Shrinker`), by random walks with
    /// few preemptions (`SparseSearch`), and by trying all cheaper schedules (`MinimumSearch`).
    ///
    /// - Parameters:
    ///   - patience: the effort for each of the three methods. They share its time: each has a part of it that the
    ///     previous ones cannot use up.
    ///   - improved: called with each better result.
    package static func shrink(
        _ schedule: Schedule, to goal: Counterexample.Identity, on subject: any Subject, patience: ShrinkingPatience,
        improved: (Shrunk) -> Void = { _ in }
    ) -> Shrunk? {
        let stage = SubjectStage(subject, patience: patience.upTo(0.75), towards: goal)
        guard let first = stage.rehearse(schedule), first.end == goal else { return nil }
        var shrunk = Shrunk(first, original: first.cost, .unknown)
        improved(shrunk)
        func improve(_ other: Shrunk?) {
            guard let other, other.cost < shrunk.cost else { return }
            shrunk = Shrunk(other.rehearsal, original: first.cost, .unknown)
            improved(shrunk)
        }
        // With thousands of runs, trying to remove some of them takes many long attempts, so random walks come first.
        // If they find a cheaper schedule, the runs of the original one are not changed at all.
        let isLong = first.cost.preemptions > fewPreemptions
        if isLong { improve(sparse(below: first.cost, goal, subject, patience.upTo(0.5))) }
        if first.cost == shrunk.cost {
            improve(shrink(first, to: goal, on: stage))
            if !isLong { improve(sparse(below: shrunk.cost, goal, subject, patience.upTo(0.875))) }
        }
        var search = MinimumSearch(goal, subject, patience: patience)
        let (best, minimality) = search.minimum(from: shrunk.rehearsal)
        return Shrunk(
            best, original: shrunk.original, minimality, endedByTime: minimality != .steps && patience.isTimeOver)
    }

    /// Schedules with at most this number of steps are shrunk thoroughly.
    private static let fewSteps = 250
    /// Schedules with more preemptions count as long.
    private static let fewPreemptions = 1000

    /// A schedule that random walks found and that was then shrunk.
    private static func sparse(
        below cost: ScheduleCost, _ goal: Counterexample.Identity, _ subject: any Subject, _ patience: ShrinkingPatience
    ) -> Shrunk? {
        var search = SparseSearch(goal, subject, patience: patience)
        return search.schedule(below: cost).flatMap {
            shrink($0, to: goal, on: SubjectStage(subject, patience: patience, towards: goal))
        }
    }

    /// Makes one improvement. False: none was found.
    private mutating func shrinkRuns() -> Bool {
        let runs = Runs(best.schedule)
        return drop(runs) || move(runs) || trim(runs)
    }

    /// Tries to remove runs: many consecutive ones first, then fewer (delta debugging: Zeller and Hildebrandt,
    /// Simplifying and isolating failure-inducing input, TSE 2002). Starts with the last runs: they can often be
    /// omitted, because what follows a plan is chosen by default and may lead to the same end.
    private mutating func drop(_ runs: Runs) -> Bool {
        var size = runs.count
        while size > 0 {
            var end = runs.count
            while end > 0 && !isSpent {
                if attempt(runs.dropping(max(0, end - size)..<end)) { return true }
                end -= size
            }
            size /= 2
        }
        return false
    }

    /// Tries to merge a run with the previous or the next run of its thread.
    private mutating func move(_ runs: Runs) -> Bool {
        for index in (0..<runs.count).reversed() {
            if isSpent { return false }
            if let moved = runs.movingUp(index), attempt(moved) { return true }
            if let moved = runs.movingDown(index), attempt(moved) { return true }
        }
        return false
    }

    /// Tries to shorten a run at its end: by half of its steps first, then by fewer.
    private mutating func trim(_ runs: Runs) -> Bool {
        for index in (0..<runs.count).reversed() {
            var cut = runs.length(index) / 2
            while cut > 0 && !isSpent {
                if attempt(runs.trimming(index, by: cut)) { return true }
                cut /= 2
            }
        }
        return false
    }

    /// Tries a plan, and keeps it if it leads to the goal at a lower cost. Returns whether it does.
    mutating func attempt(_ plan: Runs) -> Bool {
        guard let rehearsal = stage.rehearse(plan.schedule) else {
            isSpent = true
            return false
        }
        guard rehearsal.end == goal, rehearsal.cost < best.cost else { return false }
        best = rehearsal
        return true
    }
}

extension Counterexample.Identity {
    /// When to look for cycles while shrinking. If the finding is a cycle, the first one that closes gives the shortest
    /// schedule. Otherwise, if executions may repeat themselves, cycles are looked for before each step: an execution
    /// that closes one cannot be the shortest.
    package func cycleSearch(on subject: any Subject) -> CycleSearch {
        kind == .livelock || kind == .starvation
            ? .alwaysForCycle : subject.mayRepeatItself ? .always : .sometimes
    }
}
