import Machine

/// Lets another chooser choose, and counts the preemptions.
package final class PreemptionCount: Chooser {
    private let chooser: any Chooser
    private let count: UnsafeMutablePointer<Int>
    private var hasYielded = false

    /// - Parameter count: where it counts: another process may look.
    package init(_ chooser: any Chooser, into count: UnsafeMutablePointer<Int>) {
        self.chooser = chooser
        self.count = count
    }

    package func begin() {
        count.pointee = 0
        hasYielded = false
        chooser.begin()
    }

    package func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        guard let thread = chooser.chooseThread(enabled, last: last, state: state) else { return nil }
        if thread != last && !hasYielded && enabled.contains(last) { count.pointee += 1 }
        hasYielded = state.operation(of: Int(thread)).kind == .yield
        return thread
    }

    package func end(_ verdict: Verdict, state: MachineState) { chooser.end(verdict, state: state) }

    package func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        chooser.chooseAlternative(count, of: thread, state: state)
    }
}
