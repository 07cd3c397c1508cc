/// A step that a thread is about to take, as the driver announces it to observers.
package struct NextStep {
    package let thread: Int
    /// The thread that took the step before.
    package let last: Int
    /// Which alternative of the step is taken; 0 if there is only one.
    package let way: Int
    /// What the step will do.
    package let ruling: Ruling
    /// The machine, before the step.
    package let state: MachineState

    package var operation: Operation {
        @inline(always) get { state.operation(of: thread) }
    }
}
