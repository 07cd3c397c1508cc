import Machine

/// Follows a schedule from state to state, and shows each state to the caller. Used to judge a schedule that a user has
/// written.
package struct ScheduleWalk {
    /// The threads that can step after the schedule.
    package let enabled: [Int]
    /// The names of all threads that exist after the schedule, by number.
    package let names: [String]
    /// How the execution has ended after the schedule. Nil: it continues.
    package let verdict: Verdict?

    /// - Parameter visit: called in the initial state, and in the state after each step.
    /// - Returns: nil if the program cannot follow the schedule.
    package init?(_ subject: any ShownSubject, _ schedule: Schedule, visit: (any ShownSubject) -> Void = { _ in }) {
        subject.beginStates()
        visit(subject)
        var choices = schedule.choices[...]
        while let choice = choices.popFirst() {
            guard subject.verdict == nil else { return nil }
            // An alternative that follows no step says whether time passes: 0 means that it does.
            if choice.isAlternative {
                guard choice.index == 0, subject.mayPassTimeBesideOthers else { return nil }
                subject.passTime()
            } else {
                guard choice.index < subject.machine.threadCount, subject.machine.isEnabled(choice.index) else {
                    return nil
                }
                var way = 0
                if subject.machine.alternatives(of: choice.index) > 1, let next = choices.first, next.isAlternative {
                    choices.removeFirst()
                    way = next.index
                    guard way < subject.machine.alternatives(of: choice.index) else { return nil }
                }
                subject.take(choice.index, way: way)
            }
            visit(subject)
        }
        let threads = 0..<subject.machine.threadCount
        verdict = subject.verdict
        enabled = subject.verdict == nil ? threads.filter { subject.machine.isEnabled($0) } : []
        names = threads.map { subject.threadNames[subject.programNumber(of: $0)] }
    }
}
