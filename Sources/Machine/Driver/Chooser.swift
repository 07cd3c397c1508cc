/// Decides what the machine leaves open. A strategy of exploration is one of these; so is a schedule that is replayed.
package protocol Chooser: AnyObject {
    /// A new execution begins.
    func begin()

    /// Picks the thread that takes the next step.
    ///
    /// - Parameters:
    ///   - enabled: the threads that can, in the order of creation; never empty.
    ///   - last: the thread that took the previous step.
    /// - Returns: one of `enabled`, or nil if this chooser's plan cannot be followed any further: the run then diverged.
    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16?

    /// Picks a number from 0 to `count` − 1: which waiter is woken, what `choose` yields; and, when nothing else can happen,
    /// whether a wait ends without a signal (1) or no thread moves (0).
    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int?

    /// When the driver looks whether the execution goes in a cycle. Asked when it begins.
    var cycleSearch: CycleSearch { get }

    /// Whether it still has choices that were made before. Asked at each step if `cycleSearch` is `atPlansEnd`.
    var hasPlan: Bool { get }

    /// The execution is over. The threads that have not ended stand where they stood.
    func end(_ verdict: Verdict, state: MachineState)
}

extension Chooser {
    package func end(_ verdict: Verdict, state: MachineState) {}

    /// What happens where a schedule says nothing more: the thread that ran continues while it can, then the lowest numbered.
    @inline(__always)
    package func chooseByDefault(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16) -> UInt16 {
        enabled.contains(last) ? last : enabled[0]
    }

    package var cycleSearch: CycleSearch { .sometimes }
    package var hasPlan: Bool { true }
}
