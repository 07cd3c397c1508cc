import Machine

/// Runs executions twice with the same choices: a program that does something else then depends on more than its schedule.
package enum RepetitionCheck {
    /// How many executions are repeated.
    private static let count = 3
    /// After so many steps no further one is: that would take long.
    private static let manySteps = 10_000

    /// The first discrepancy, if there is one.
    package static func discrepancy(of subject: any Subject, seed: UInt64) -> Discrepancy? {
        var steps = 0
        for number in 0..<count where steps < manySteps {
            let first = StepList(RandomWalk(seed: seed &+ UInt64(number)))
            let verdict = subject.execute(first)
            let second = StepList(Replay(subject.schedule))
            let isSame = subject.execute(second) == verdict
            if let discrepancy = difference(first.steps, second.steps) { return discrepancy }
            steps += first.steps.count
            if !isSame { return Discrepancy(number: first.steps.count + 1, first: nil, second: nil) }
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

/// Lets another chooser choose, and keeps a list of the steps.
private final class StepList: Chooser {
    private let chooser: any Chooser
    private(set) var steps: [Discrepancy.Step] = []

    init(_ chooser: any Chooser) { self.chooser = chooser }

    func begin() { chooser.begin() }

    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        guard let thread = chooser.chooseThread(enabled, last: last, state: state) else {
            // What could have been done instead of what the schedule wants.
            let instead = Int(enabled[0])
            steps.append(Discrepancy.Step(thread: instead, operation: state.operation(of: instead)))
            return nil
        }
        steps.append(Discrepancy.Step(thread: Int(thread), operation: state.operation(of: Int(thread))))
        return thread
    }

    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        chooser.chooseAlternative(count, of: thread, state: state)
    }
}
