import Exploration
import Machine

/// The chooser of a run that a person steps: it follows the choices that the person has made, records each decision,
/// and after the last choice pauses the run or continues as the plan says.
final class StepChooser: Chooser {
    private let stepPlan: StepPlan
    private let replay: Replay
    private let walk: RandomWalk?
    /// Records a decision. False: there is no room for it.
    private let note: (_ choices: Int, _ isQuiet: Bool, MachineState) -> Bool
    /// Called where the run pauses.
    var pause: () -> Void = {}
    /// Called when the run is about to pause. Returns the choices with which it continues instead. Nil: it pauses.
    var more: () -> [Schedule.Choice]? = { nil }
    /// The number of choices so far.
    private var position = 0
    /// Whether the chosen thread's step has alternatives, one of which must be chosen next. That choice is part of the
    /// same decision.
    private var wayIsDue = false

    init(_ plan: StepPlan, note: @escaping (_ choices: Int, _ isQuiet: Bool, MachineState) -> Bool) {
        stepPlan = plan
        self.note = note
        replay = Replay(plan.schedule)
        if case .random(let seed) = plan.then { walk = RandomWalk(seed: seed) } else { walk = nil }
    }

    /// Where the run could not follow the schedule.
    var divergence: Divergence? { replay.divergence }

    var cycleSearch: CycleSearch { stepPlan.then == .byDefault ? .atPlansEnd : .sometimes }
    var plan: ChoosersPlan { replay.plan }

    func begin() { replay.begin() }

    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        guard note(position, false, state), continues() else { return nil }
        let chosen =
            if hasSchedule { replay.chooseThread(enabled, last: last, state: state) } else {
                walk?.chooseThread(enabled, last: last, state: state) ?? chooseByDefault(enabled, last: last)
            }
        guard let chosen else { return nil }
        position += 1
        wayIsDue = state.alternatives(of: Int(chosen)) > 1
        return chosen
    }

    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        if wayIsDue {
            wayIsDue = false
        } else {
            // No thread was chosen before, so the choice is whether a wait ends without a signal (`Moment.isQuiet`).
            guard note(position, true, state), continues() else { return nil }
        }
        position += 1
        if hasSchedule { return replay.chooseAlternative(count, of: thread, state: state) }
        return walk?.chooseAlternative(count, of: thread, state: state) ?? 0
    }

    /// Whether choices of the schedule are left.
    private var hasSchedule: Bool { replay.plan == .followed }

    /// Whether the run continues here. False: it pauses.
    private func continues() -> Bool {
        guard stepPlan.then == .pause, !hasSchedule else { return true }
        guard divergence == nil, let choices = more() else { return false }
        replay.extend(choices)
        return true
    }

    func end(_ verdict: Verdict, state: MachineState) {
        if verdict == .stopped && replay.divergence == nil { pause() }
    }
}
