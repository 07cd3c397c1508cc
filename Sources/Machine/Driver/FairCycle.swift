/// Whether an execution goes in a cycle that a fair scheduler could follow forever: a livelock.
///
/// It is asked before each step, for some hundred steps on end, and remembers the state after 1, 2, 4, 8 … of them (Brent, 1980).
/// If that state comes back, the steps in between can be repeated. The cycle is fair if every thread took a step in it that could
/// have taken one at any time, or had a deadline, which passes at some time. Otherwise it is the scheduler that keeps a thread from
/// going on, and that thread might end the cycle. And nothing must have been chosen but who steps: a
/// choice that goes another way leaves the cycle.
package struct FairCycle {
    private var count = 0
    private var remembered: UInt64?
    /// By thread.
    private var couldStep: [Bool] = []
    private var hasStepped: [Bool] = []

    package init() {}

    /// Whether the cycle is closed by the present state.
    ///
    /// - Parameters:
    ///   - hash: of the whole state, local variables included: the same for states from which the same can happen.
    ///   - enabled: the threads that can step.
    package mutating func isClosed(
        by state: MachineState, hash: UInt64, enabled: UnsafeBufferPointer<UInt16>
    ) -> Bool {
        if hash == remembered && zip(couldStep, hasStepped).allSatisfy({ !$0 || $1 }) { return true }
        count += 1
        if count & (count - 1) == 0 { remember(hash) }
        note(state, enabled)
        return false
    }

    /// The thread has been chosen.
    ///
    /// - Parameter ways: how many ways its step can go.
    package mutating func add(_ thread: UInt16, ways: Int) {
        grow(to: Int(thread) + 1)
        hasStepped[Int(thread)] = true
        if ways > 1 { remembered = nil }
    }

    private mutating func remember(_ hash: UInt64) {
        remembered = hash
        couldStep.removeAll(keepingCapacity: true)
        hasStepped.removeAll(keepingCapacity: true)
    }

    private mutating func note(_ state: MachineState, _ enabled: UnsafeBufferPointer<UInt16>) {
        grow(to: state.threadCount)
        for thread in enabled { couldStep[Int(thread)] = true }
        for thread in 0..<state.threadCount where state.hasDeadline(thread) { couldStep[thread] = true }
    }

    private mutating func grow(to count: Int) {
        while couldStep.count < count {
            couldStep.append(false)
            hasStepped.append(false)
        }
    }
}

extension MachineState {
    /// Whether the thread goes on when enough time has passed, whatever the others do.
    func hasDeadline(_ thread: Int) -> Bool {
        let state = self.thread(thread)
        guard state.status == .announced || state.status == .waiting else { return false }
        switch state.operation.kind {
        case .sleepUntil: return true
        case .lockUntil, .semaphoreWaitUntil, .readLockUntil, .writeLockUntil, .joinUntil, .wait:
            return state.operation.b != Operation.never
        default: return false
        }
    }
}
