import Execution
import Machine
import Trace

/// A configured program that can be run: a scenario that is written in Swift, or a `.lab` file.
package protocol Runnable: Sendable {
    /// The name on the command line: a scenario's name, or a file's path.
    var name: String { get }
    /// The name in sentences about its expectation.
    var label: String { get }
    var parameters: [ParameterDescription] { get }
    /// The current values by name, in the order of declaration.
    var arguments: [(name: String, value: String)] { get }
    /// The section of the guide that covers it.
    var guide: String? { get }
    /// How its runs may end.
    var expectation: Expectation { get }
    /// States that some run must end in, each as the text of a `state.seen` event.
    var soughtStates: [String] { get }

    /// Whether it claims something about its runs beyond how they end.
    var hasClaims: Bool { get }

    /// Why the scheduler cannot run it, as the end of a sentence: "because …". Nil: it can.
    var realThreadsOnly: String? { get }

    /// The body of the main thread.
    func run() throws

    /// Examines what the process left behind after it ended.
    func review(_ remains: Remains) throws

    /// Whether its threads run machine code of their own between steps, which may crash or loop forever.
    var runsOwnCode: Bool { get }

    /// Whether the subject made below is a `StatefulSubject`, whose states can be searched.
    var hasStates: Bool { get }

    /// The program as a subject, whose executions are decided by choosers.
    ///
    /// - Parameter log: receives the choices if the program runs its own code, which may end the process.
    func makeSubject(_ rules: Rules, log: ChoiceMemory?) -> any Subject

    /// The sought states that the last execution of a subject made here ended in. The execution must have completed, or
    /// broken a claim.
    func seenStates(of subject: any Subject) -> [Int]
}

extension Runnable {
    package var runsOwnCode: Bool { true }
    package var hasStates: Bool { false }
    package var realThreadsOnly: String? { nil }

    package func makeSubject(_ rules: Rules, log: ChoiceMemory?) -> any Subject {
        ControlledSubject(rules, log: log, review: { try review(Remains($0)) }, body: { try run() })
    }

    package var soughtStates: [String] { [] }
    package var hasClaims: Bool { false }

    /// Whether a run that completed, but took locks in different orders, ends in `lock-order`: only if the scenario
    /// expects that.
    package var judgesLockOrder: Bool { expectation.allowed.contains(.lockOrder) }
    package func seenStates(of subject: any Subject) -> [Int] { [] }
}
