import Machine

/// Counts an execution's preemptions: switches from a thread that could have continued and did not yield.
package final class PreemptionCount: Observer {
    private let count: UnsafeMutablePointer<Int>
    private var hasYielded = false

    /// - Parameter count: the counter, which another process may read.
    package init(into count: UnsafeMutablePointer<Int>) { self.count = count }

    package func begin() {
        count.pointee = 0
        hasYielded = false
    }

    package func willTake(_ step: NextStep) {
        if step.thread != step.last && !hasYielded && step.state.isEnabled(step.last) { count.pointee += 1 }
        hasYielded = step.ruling.act == .yield
    }
}
