/// A step that a thread is about to take.
package struct NextStep {
    package let thread: Int
    /// The thread that took the step before.
    package let last: Int
    /// Which way it goes, of several; 0 if it can go one way only.
    package let way: Int
    /// What the rule says of it.
    package let ruling: Ruling
    /// The machine, before the step.
    package let state: MachineState

    /// What the thread has announced.
    package var operation: Operation {
        @inline(__always) get { state.operation(of: thread) }
    }
}
