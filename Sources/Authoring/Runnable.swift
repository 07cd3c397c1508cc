import Execution
import Machine
import Trace

/// A configured program that can be run: a scenario that is written in Swift, or a `.lab` file.
package protocol Runnable: Sendable {
    /// What the command line calls it: a scenario's name, a file's path.
    var name: String { get }
    /// What a sentence about its expectation calls it.
    var label: String { get }
    var parameters: [ParameterDescription] { get }
    /// The present values by name, in the order of declaration.
    var arguments: [(name: String, value: String)] { get }
    /// The section of the guide that treats it.
    var guide: String? { get }
    /// How its runs may end.
    var expectation: Expectation { get }
    /// States that some run must end in, each as the text of a `state.seen` event.
    var soughtStates: [String] { get }

    /// The body of the main thread.
    func run() throws

    /// Looks at what the process left behind, after it has ended.
    func review(_ remains: Remains) throws

    /// Whether its threads run machine code of its own between steps, which may crash or go round in a circle.
    var runsOwnCode: Bool { get }

    /// The program as something whose executions choosers decide.
    ///
    /// - Parameter log: where the choices go if it runs code of its own, which may end the process.
    func makeSubject(_ rules: Rules, log: ChoiceMemory?) -> any Subject

    /// Which of the sought states the last execution of a subject that was made here has ended in. It has completed.
    func seenStates(of subject: any Subject) -> [Int]
}

extension Runnable {
    package var runsOwnCode: Bool { true }

    package func makeSubject(_ rules: Rules, log: ChoiceMemory?) -> any Subject {
        ControlledSubject(rules, log: log, review: { try review(Remains($0)) }, body: { try run() })
    }

    package var soughtStates: [String] { [] }

    /// Whether a run that went well, with locks taken in different orders, ends in `lock-order`: only if it says so.
    package var judgesLockOrder: Bool { expectation.allowed.contains(.lockOrder) }
    package func seenStates(of subject: any Subject) -> [Int] { [] }
}
