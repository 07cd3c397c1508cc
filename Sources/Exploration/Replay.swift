import Machine

/// Follows a schedule. After its last choice, the thread that ran continues while it can, then the enabled thread with
/// the lowest number steps.
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

    /// Appends choices to the schedule.
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
            divergence = Divergence(number: position, wanted: choice, due: .alternative(of: count))
            return nil
        }
        return choice.index
    }
}

/// Where a run could not follow a schedule: the schedule's choice, and the possible choices.
package struct Divergence {
    /// The choice that the run needed there.
    package enum Due {
        /// Which of these threads takes the next step.
        case thread(of: [Int])
        /// Which of this number of alternatives the thread's step takes.
        case alternative(of: Int)
    }

    /// The position of the choice in the schedule, from 1.
    package let number: Int
    let wanted: Schedule.Choice
    let due: Due

    /// One sentence, without its full stop.
    ///
    /// - Parameter name: a thread's name; nil if there is no such thread.
    package func description(name: (Int) -> String?) -> String {
        func thread(_ index: Int) -> String { "\(index)" + (name(index).map { " (\($0))" } ?? "") }
        let wish = wanted.isAlternative ? "=\(wanted.index)" : "thread \(thread(wanted.index))"
        switch due {
        case .thread(let threads):
            let possible = threads.map(thread).joined(separator: " or ")
            guard !wanted.isAlternative else {
                return "choice \(number) is \(wish), an alternative of a step, where thread \(possible) must step"
            }
            let why = name(wanted.index) == nil ? "there is no such thread" : "it cannot step there"
            return "choice \(number) is \(wish), but \(why): thread \(possible) can"
        case .alternative(let count):
            return "choice \(number) is \(wish), but the step has \(count) alternatives, =0 to =\(count - 1)"
        }
    }
}
