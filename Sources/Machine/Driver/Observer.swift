/// Observes the steps of executions, for example to find data races. An observer changes nothing, so a driver can have
/// any number of them.
package protocol Observer: AnyObject {
    /// An execution begins.
    func begin()

    /// A thread is about to take a step.
    func willTake(_ step: NextStep)

    /// The execution is over.
    func end(_ verdict: Verdict, _ state: MachineState)

    /// Whether the observer can go back to an earlier moment of the execution, as some subjects can. If not, every
    /// execution starts from the beginning.
    var canGoBack: Bool { get }

    /// Saves, under the number, what the observer has seen of this execution.
    func keep(_ number: Int)

    /// Restores what was saved under the number.
    func goBack(to number: Int)
}

extension Observer {
    package func end(_ verdict: Verdict, _ state: MachineState) {}

    package var canGoBack: Bool { false }

    package func keep(_ number: Int) { preconditionFailure("\(Self.self) cannot go back") }
    package func goBack(to number: Int) { preconditionFailure("\(Self.self) cannot go back") }
}
