import Machine

/// Runs executions twice with the same choices: a program that behaves differently depends on more than its schedule.
package enum RepetitionCheck {
    /// The number of executions that are repeated.
    private static let count = 3
    /// After this number of steps no further execution is repeated, because that would take long.
    private static let manySteps = 10_000

    /// The first discrepancy, if there is one.
    package static func discrepancy(of subject: any Subject, seed: UInt64) -> Discrepancy? {
        var steps = 0
        let list = StepList()
        subject.observers = [list]
        defer { subject.observers = [] }
        var number = 0
        var patience = 100
        while number < count && steps < manySteps {
            let before = subject.peculiarities
            let verdict = subject.execute(RandomWalk(seed: seed &+ UInt64(number)))
            let first = list.steps
            let again = verdict == .foreignThread ? verdict : subject.execute(Replay(subject.schedule))
            // That is another reason not to search, and a better one.
            if again == .foreignThread { return nil }
            if subject.peculiarities != before && patience > 0 && !(again == verdict && first == list.steps) {
                // A global was initialized, or was found to keep an object of another execution: try again.
                patience -= 1
                continue
            }
            number += 1
            if let discrepancy = difference(first, list.steps) { return discrepancy }
            steps += first.count
            if again != verdict { return Discrepancy(number: first.count + 1, first: nil, second: nil) }
        }
        return nil
    }

    private static func difference(_ first: [Discrepancy.Step], _ second: [Discrepancy.Step]) -> Discrepancy? {
        let same = zip(first, second).prefix { $0 == $1 }.count
        if same == first.count && same == second.count { return nil }
        return Discrepancy(
            number: same + 1, first: same < first.count ? first[same] : nil,
            second: same < second.count ? second[same] : nil)
    }
}

/// Keeps a list of the steps.
private final class StepList: Observer {
    private(set) var steps: [Discrepancy.Step] = []

    func begin() { steps = [] }

    func willTake(_ step: NextStep) {
        steps.append(Discrepancy.Step(thread: step.thread, operation: step.operation))
    }

    /// What was possible instead of the schedule's choice.
    func end(_ verdict: Verdict, _ state: MachineState) {
        guard verdict == .stopped, let instead = (0..<state.threadCount).first(where: { state.isEnabled($0) }) else {
            return
        }
        steps.append(Discrepancy.Step(thread: instead, operation: state.operation(of: instead)))
    }
}
