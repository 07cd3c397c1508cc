/// Detects that a thread waits for time while the others only repeat themselves.
///
/// Time is lazy: it passes when no thread can step. A thread that spins can always step, so beside it no time would ever
/// pass, although on a real processor it does. So a fair scheduler lets time pass too: where the execution has closed a cycle of
/// states that it could follow forever, and throughout which one thread has waited for a moment and taken no step.
///
/// It receives each state since time last passed, and compares the latest with all of them.
struct ClockWatch {
    /// By thread: the number of the last state, from 1 on, of which this is true. Zero: of none.
    private struct Last {
        /// It could step; it could not; it stepped from there.
        var could = 0
        var couldNot = 0
        var did = 0
        /// The first state since which it has been waiting for a moment. Zero: it does not wait for one.
        var waitsSince = 0
    }

    /// By hash: the number of the last state that has it.
    private var numbers: [UInt64: Int] = [:]
    /// By number, less one: the number of the state before it that is the same. Zero: there is none.
    private var same: [Int] = []
    private var last: [Last] = []

    /// Longer executions without a pause are not examined: their threads hardly repeat themselves.
    static let mostStates = 1 << 16

    /// Forgets all states, and keeps the memory: time has passed.
    mutating func reset() {
        if same.isEmpty { return }
        numbers.removeAll(keepingCapacity: true)
        same.removeAll(keepingCapacity: true)
        last.removeAll(keepingCapacity: true)
    }

    /// The next state.
    ///
    /// - Parameters:
    ///   - hash: of the whole state, local variables included: equal for states with the same possible futures.
    ///   - enabled: the threads that can step.
    mutating func add(_ state: MachineState, hash: UInt64, enabled: UnsafeBufferPointer<UInt16>) {
        guard same.count < Self.mostStates else { return }
        let number = same.count + 1
        same.append(numbers.updateValue(number, forKey: hash) ?? 0)
        while last.count < state.threadCount { last.append(Last()) }
        for thread in enabled where state.isDue(Int(thread)) { last[Int(thread)].could = number }
        for thread in last.indices {
            if last[thread].could < number { last[thread].couldNot = number }
            if !state.hasDeadline(thread) {
                last[thread].waitsSince = 0
            } else if last[thread].waitsSince == 0 {
                last[thread].waitsSince = number
            }
        }
    }

    /// The thread steps from the last state.
    mutating func noteStep(of thread: Int) {
        if thread < last.count { last[thread].did = same.count }
    }

    /// Whether the last state closes such a cycle.
    func isInCycle(_ fairness: Rules.Fairness) -> Bool {
        var start = same.last ?? 0
        while start > 0 {
            if isFair(from: start, fairness) && last.contains(where: { 1...start ~= $0.waitsSince && $0.did < start }) {
                return true
            }
            start = same[start - 1]
        }
        return false
    }

    /// Whether a fair scheduler can follow the steps since the state with this number forever.
    private func isFair(from start: Int, _ fairness: Rules.Fairness) -> Bool {
        // The last state equals the first: what a thread can do in it, it could do at the cycle's start.
        last.allSatisfy { thread in
            thread.did >= start || (fairness == .strong ? thread.could < start : thread.couldNot >= start)
        }
    }
}

extension MachineState {
    /// Whether a fair scheduler owes the thread, which can step, a step: not if all that it can do is end a wait without a signal.
    package func isDue(_ thread: Int) -> Bool { !mayWakeSpuriously || ruling(on: thread).act != .leaveEarly }
}
