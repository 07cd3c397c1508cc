import Machine
import Trace

/// Why nothing that a search shows about a program means much: its executions are not decided by their choices alone.
package enum Discrepancy: Equatable, Sendable {
    /// An execution was repeated with the same choices, and behaved differently.
    case repetition(Difference)
    /// A thread that is not under the scheduler's control used an object of an execution: a sentence without its full
    /// stop.
    case foreignThread(String)

    /// Where an execution that was repeated with the same choices behaved differently.
    package struct Difference: Equatable, Sendable {
        /// The step's number, from 1.
        package let number: Int
        /// The step of the first and of the second time. Nil: there was no such step.
        package let first: Step?
        package let second: Step?

        package init(number: Int, first: Step?, second: Step?) {
            self.number = number
            self.first = first
            self.second = second
        }
    }

    /// A step that a thread was about to take.
    package struct Step: Equatable, Sendable {
        package let thread: Int
        package let operation: Operation

        package init(thread: Int, operation: Operation) {
            self.thread = thread
            self.operation = operation
        }
    }

    package init(number: Int, first: Step?, second: Step?) {
        self = .repetition(Difference(number: number, first: first, second: second))
    }
}

extension Discrepancy: CustomStringConvertible {
    /// A sentence without its full stop.
    package var description: String {
        switch self {
        case .repetition(let difference): "\(difference)"
        case .foreignThread(let sentence): sentence
        }
    }

    /// What kind of program it is, in two words.
    package var heading: String {
        switch self {
        case .repetition: "not repeatable"
        case .foreignThread: "not controllable"
        }
    }

    /// What may be the reason, or what to do.
    package var advice: String {
        switch self {
        case .repetition: Self.repetitionAdvice
        case .foreignThread: ForeignThreadWords.advice
        }
    }

    /// What may be the reason why an execution ends differently when it is repeated.
    package static let repetitionAdvice =
        "The scenario depends on something else: dates, addresses, random numbers, or state left by an earlier execution."
}

extension Discrepancy.Difference: CustomStringConvertible {
    package var description: String {
        let start = "an execution was repeated with the same choices, and"
        guard first != nil || second != nil else { return "\(start) ended differently" }
        let steps = [first, second].map { $0?.description ?? "none" }
        return "\(start) step \(number) was different: \(steps[0]) the first time, \(steps[1]) the second time"
    }
}

extension Discrepancy.Step: CustomStringConvertible {
    package var description: String {
        let object = operation.object == 0 ? "" : " of object \(operation.object)"
        let isExchange = operation.kind == .compareExchange
        let value = operation.a == 0 && !isExchange ? "" : " with \(operation.a)"
        let made = isExchange ? ", to \(operation.b)" : ""
        return "'\(operation.kind)'\(object)\(value)\(made) by thread \(thread)"
    }
}

/// Runs executions twice with the same choices: a program that behaves differently depends on more than its schedule.
package enum RepetitionCheck {
    /// The number of executions that are repeated.
    private static let count = 3
    /// After this number of steps no further execution is repeated, because that would take long.
    private static let manySteps = 10_000

    /// The first discrepancy, if there is one.
    ///
    /// - Parameter isOver: whether there is no time for more; asked when an execution has been repeated.
    package static func discrepancy(
        of subject: any Subject, seed: UInt64, unless isOver: () -> Bool = { false }
    ) -> Discrepancy? {
        var steps = 0
        let list = StepList()
        subject.observers = [list]
        defer { subject.observers = [] }
        var number = 0
        var patience = 100
        while number < count && steps < manySteps {
            if number > 0 && isOver() { return nil }
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
