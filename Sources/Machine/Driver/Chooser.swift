/// Decides what the machine leaves open. Exploration strategies and replayed schedules are choosers.
package protocol Chooser: AnyObject {
    /// A new execution begins.
    func begin()

    /// Picks the thread that takes the next step.
    ///
    /// - Parameters:
    ///   - enabled: the threads that can take it, in the order of creation; never empty.
    ///   - last: the thread that took the previous step.
    /// - Returns: one of `enabled`, or nil if this chooser's plan cannot be followed any further: the run has then
    ///   diverged.
    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16?

    /// Picks one of the alternatives of the thread's step, from 0 to `count` − 1: for example, which waiter is woken,
    /// what `choose` returns, or which write is read. Also asked when threads can only end waits without a signal: 0
    /// lets time pass instead, 1 lets one of them step.
    ///
    /// - Returns: nil if this chooser's plan cannot be followed any further.
    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int?

    /// Whether time passes although threads can step, because these only repeat themselves: see `ClockWatch`. By
    /// default this asks `chooseAlternative`, and the first of two alternatives means yes.
    ///
    /// - Parameter thread: the one that took the previous step.
    /// - Returns: nil if this chooser's plan cannot be followed any further.
    func letsTimePass(beside thread: UInt16, state: MachineState) -> Bool?

    /// When the driver checks whether the execution is in a cycle. Asked when the execution begins.
    var cycleSearch: CycleSearch { get }

    /// What fixes its choices at present. Asked at each step at which the driver looks for cycles.
    var plan: ChoosersPlan { get }

    /// The execution is over. In `state`, threads that have not ended are where they stopped.
    func end(_ verdict: Verdict, state: MachineState)
}

extension Chooser {
    package func end(_ verdict: Verdict, state: MachineState) {}

    /// The rule after the end of a schedule: the last thread continues while it can, then the enabled thread with the
    /// lowest number steps.
    @inline(always)
    package func chooseByDefault(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16) -> UInt16 {
        enabled.contains(last) ? last : enabled[0]
    }

    package func letsTimePass(beside thread: UInt16, state: MachineState) -> Bool? {
        chooseAlternative(2, of: thread, state: state).map { $0 == 0 }
    }

    package var cycleSearch: CycleSearch { .sometimes }
    package var plan: ChoosersPlan { .none }
}
