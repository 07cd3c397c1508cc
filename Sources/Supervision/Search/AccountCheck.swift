import Diagnosis
import Exploration
import Machine
import Trace

/// Finds the steps of an account on which the finding does not depend, by executions in which they come elsewhere: first
/// as late as possible, then as early as possible. If both end in the same finding, the step only belongs to the story.
struct AccountCheck {
    /// The steps, each with the index of its choice in the schedule.
    private let places: [(event: Int, place: Int)]
    private let schedule: Schedule

    /// How many steps a run has whose account is checked. A shorter one is shown as a whole.
    static let steps = 18...5_000

    /// - Parameters:
    ///   - run: the run of the finding, with its decisions.
    ///   - account: the account of the finding.
    init(_ account: Account, _ run: SteppedRun) {
        schedule = run.schedule
        let (moments, choices) = (run.moments, run.schedule.choices)
        places = account.steps.compactMap { step in
            guard step.role == .cause else { return nil }
            var (low, high) = (0, moments.count)
            while low < high {
                let middle = (low + high) / 2
                if moments.events(before: middle) <= step.event { low = middle + 1 } else { high = middle }
            }
            guard low > 0 else { return nil }
            let place = moments.choices(before: low - 1)
            // A wait, for example, is recorded when its thread stops before it, and then it is not a step.
            guard choices.indices.contains(place), !choices[place].isAlternative,
                choices[place].index == Int(run.trace.events[step.event].thread.index)
            else { return nil }
            return (step.event, place)
        }
    }

    /// The numbers, from 0, of the events of steps on which the finding does not depend.
    func context(_ stage: some Stage, _ goal: Counterexample.Identity) -> [Int] {
        places.filter { step in
            let rank = schedule.rank(ofStepAt: step.place)
            let others = schedule.othersBefore(rank)
            // A step that cannot come elsewhere, because its thread is blocked before or must go first, proves nothing.
            return leads(schedule.delaying(from: step.place), to: goal, stage) {
                $0.othersBefore(rank).map { $0 > others ?? 0 } ?? true
            }
                && leads(schedule.advancing(to: step.place), to: goal, stage) {
                    $0.othersBefore(rank).map { $0 < others ?? 0 } ?? false
                }
        }.map(\.event)
    }

    /// Whether an execution with this schedule ends in the finding, and its step really came elsewhere.
    private func leads(
        _ other: Schedule?, to goal: Counterexample.Identity, _ stage: some Stage, _ hasMoved: (Schedule) -> Bool
    ) -> Bool {
        guard let other, let run = stage.rehearse(other) else { return false }
        return run.end == goal && hasMoved(run.schedule)
    }
}
