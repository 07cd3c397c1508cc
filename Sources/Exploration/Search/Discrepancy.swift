import Machine
import Trace

/// Why the results of a search mean little: the program's executions are not determined by their choices alone.
package enum Discrepancy: Equatable, Sendable {
    /// An execution was repeated with the same choices, and behaved differently.
    case repetition(Difference)
    /// A thread that is not under the scheduler's control used an object of an execution: a sentence without its full
    /// stop.
    case foreignThread(String)

    /// The first step in which an execution differed from its repetition with the same choices.
    package struct Difference: Equatable, Sendable {
        /// The step's number, from 1.
        package let number: Int
        /// The step of the first execution and of its repetition. Nil: the execution had no such step.
        package let first: Step?
        package let second: Step?
        /// What an execution changed for later ones, as a sentence without its full stop. Nil: nothing is known.
        package let cause: String?

        package init(number: Int, first: Step?, second: Step?, cause: String? = nil) {
            self.number = number
            self.first = first
            self.second = second
            self.cause = cause
        }
    }

    /// A step that a thread was about to take.
    package struct Step: Equatable, Sendable {
        package let thread: Int
        package let operation: Operation
        /// The source line, such as `file.c:12`. Nil: not known.
        package let line: String?

        package init(thread: Int, operation: Operation, line: String? = nil) {
            self.thread = thread
            self.operation = operation
            self.line = line
        }
    }

    package init(number: Int, first: Step?, second: Step?, cause: String? = nil) {
        self = .repetition(Difference(number: number, first: first, second: second, cause: cause))
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

    /// The kind of discrepancy, in two words.
    package var heading: String {
        switch self {
        case .repetition: "not repeatable"
        case .foreignThread: "not controllable"
        }
    }

    /// What the reason may be, or what to do.
    package var advice: String {
        switch self {
        case .repetition(let difference):
            difference.cause == nil
                ? Self.repetitionAdvice
                : "Give the program an input with which it does not do that, or leave the call out."
        case .foreignThread: ForeignThreadWords.advice
        }
    }

    /// The possible reason why an execution ends differently when it is repeated.
    package static let repetitionAdvice =
        "The scenario depends on something else: dates, addresses, random numbers, or state left by an earlier execution."
}

extension Discrepancy.Difference: CustomStringConvertible {
    package var description: String {
        let start = "an execution was repeated with the same choices, and"
        let reason = cause.map { ". \($0)" } ?? ""
        guard first != nil || second != nil else { return "\(start) ended differently\(reason)" }
        let steps = [first, second].map { $0?.description ?? "none" }
        return "\(start) step \(number) was different: \(steps[0]) the first time, \(steps[1]) the second time\(reason)"
    }
}

extension Discrepancy.Step: CustomStringConvertible {
    package var description: String {
        let object = operation.object == 0 ? "" : " of object \(operation.object)"
        let isExchange = operation.kind.isCompareExchange
        let value = operation.a == 0 && !isExchange ? "" : " with \(operation.a)"
        let made = isExchange ? ", to \(operation.b)" : ""
        return "'\(operation.kind)'\(object)\(value)\(made) by thread \(thread)" + (line.map { " at \($0)" } ?? "")
    }
}

/// Runs executions twice with the same choices: if a program then behaves differently, it depends on more than its
/// schedule.
package enum RepetitionCheck {
    /// The number of executions that are repeated.
    private static let count = 3
    /// After this number of steps, no further execution is repeated.
    private static let manySteps = 10_000

    /// The first discrepancy, if there is one.
    ///
    /// - Parameter isOver: whether the time is over; asked each time an execution has been repeated.
    package static func discrepancy(
        of subject: any Subject, seed: UInt64, unless isOver: () -> Bool = { false }
    ) -> Discrepancy? {
        var steps = 0
        let list = StepList(subject)
        subject.observers = [list]
        defer { subject.observers = [] }
        var number = 0
        // How often an execution may be tried again because of something that happens only once in a process.
        var patience = 100
        while number < count && steps < manySteps {
            if number > 0 && isOver() { return nil }
            let before = subject.peculiarities
            let verdict = subject.execute(RandomWalk(seed: seed &+ UInt64(number)))
            let (first, addresses) = (list.steps, list.addresses)
            let again = verdict == .foreignThread ? verdict : subject.execute(Replay(subject.schedule))
            // The foreign thread is another reason not to search, and is reported instead.
            if again == .foreignThread { return nil }
            if subject.peculiarities != before && patience > 0 && !(again == verdict && first == list.steps) {
                // A global was initialized, or was found to keep an object of another execution, which happens once:
                // try again.
                patience -= 1
                continue
            }
            number += 1
            if let index = firstDifference(first, list.steps) {
                return Discrepancy(
                    number: index + 1, first: step(index, first, addresses, subject),
                    second: step(index, list.steps, list.addresses, subject), cause: subject.lastingChange)
            }
            steps += first.count
            if again != verdict {
                return Discrepancy(number: first.count + 1, first: nil, second: nil, cause: subject.lastingChange)
            }
        }
        return nil
    }

    /// The index of the first step that differs. Nil: there is none.
    private static func firstDifference(_ first: [Discrepancy.Step], _ second: [Discrepancy.Step]) -> Int? {
        let same = zip(first, second).prefix { $0 == $1 }.count
        return same == first.count && same == second.count ? nil : same
    }

    /// The step at this index, with its source line. Nil: the execution had no such step.
    private static func step(
        _ index: Int, _ steps: [Discrepancy.Step], _ addresses: [UInt64], _ subject: any Subject
    ) -> Discrepancy.Step? {
        guard index < steps.count else { return nil }
        let line = addresses[index] == 0 ? nil : subject.line(ofCode: addresses[index])
        return Discrepancy.Step(thread: steps[index].thread, operation: steps[index].operation, line: line)
    }
}

/// Records the steps of an execution.
private final class StepList: Observer {
    private(set) var steps: [Discrepancy.Step] = []
    /// By step: the code address of its operation.
    private(set) var addresses: [UInt64] = []
    private unowned let subject: any Subject

    init(_ subject: any Subject) { self.subject = subject }

    func begin() {
        steps = []
        addresses = []
    }

    func willTake(_ step: NextStep) {
        steps.append(Discrepancy.Step(thread: step.thread, operation: step.operation))
        addresses.append(subject.codeAddress(of: step.thread))
    }

    /// Adds a step that was possible when the schedule could not be followed.
    func end(_ verdict: Verdict, _ state: MachineState) {
        guard verdict == .stopped, let instead = (0..<state.threadCount).first(where: { state.isEnabled($0) }) else {
            return
        }
        steps.append(Discrepancy.Step(thread: instead, operation: state.operation(of: instead)))
        addresses.append(subject.codeAddress(of: instead))
    }
}
