/// Observes executions that a chooser decides. It changes nothing, so a driver can have any number of observers.
package protocol Observer: AnyObject {
    /// An execution begins.
    func begin()

    /// A thread is about to take a step.
    func willTake(_ step: NextStep)

    /// The execution is over.
    func end(_ verdict: Verdict, _ state: MachineState)

    /// Whether it can go back together with a subject that can. If not, every execution starts from the beginning.
    var canGoBack: Bool { get }

    /// Saves what it has seen of this execution under the number.
    func keep(_ number: Int)

    /// Restores what it had seen when it saved under the number.
    func goBack(to number: Int)
}

extension Observer {
    package func end(_ verdict: Verdict, _ state: MachineState) {}

    package var canGoBack: Bool { false }

    package func keep(_ number: Int) { preconditionFailure("\(Self.self) cannot go back") }
    package func goBack(to number: Int) { preconditionFailure("\(Self.self) cannot go back") }
}
