import Machine

/// Follows a schedule. After its last choice the thread that ran continues while it can, then the one with the lowest
/// number.
package final class Replay: Strategy {
    private var schedule: Schedule
    private var position = 0

    /// Where the run could not follow the schedule.
    package private(set) var divergence: Divergence?

    package init(_ schedule: Schedule) { self.schedule = schedule }

    /// The number of choices of the schedule that were not used.
    package var unused: Int { schedule.choices.count - position }

    package var cycleSearch: CycleSearch { .atPlansEnd }
    package var plan: ChoosersPlan { position < schedule.choices.count ? .followed : .over }

    /// Adds choices to the end of the schedule.
    package func extend(_ choices: [Schedule.Choice]) { schedule = Schedule(schedule.choices + choices) }

    package func prepare(_ number: Int) -> Bool { number == 0 }

    package func begin() {
        position = 0
        divergence = nil
    }

    package func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        guard position < schedule.choices.count else { return chooseByDefault(enabled, last: last) }
        let choice = schedule.choices[position]
        position += 1
        guard !choice.isAlternative, enabled.contains(UInt16(choice.index)) else {
            divergence = Divergence(number: position, wanted: choice, due: .thread(of: enabled.map { Int($0) }))
            return nil
        }
        return UInt16(choice.index)
    }

    package func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        guard position < schedule.choices.count else { return 0 }
        let choice = schedule.choices[position]
        position += 1
        guard choice.isAlternative, choice.index < count else {
            divergence = Divergence(number: position, wanted: choice, due: .way(of: count))
            return nil
        }
        return choice.index
    }
}
