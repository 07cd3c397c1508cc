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

    /// By hash: which of the lists has the states with it.
    private var lists: [UInt64: Int] = [:]
    /// The numbers of states that are the same, in order.
    private var same: [[Int]] = []
    /// The list of the last state.
    private var list = 0
    /// The number of states.
    private var count = 0
    private var last: [Last] = []

    /// Of longer executions without a pause no more is examined: their threads hardly repeat themselves.
    private static let mostStates = 1 << 16
    private var isFull: Bool { count == Self.mostStates }

    /// Forgets all states, and keeps the memory: time has passed.
    mutating func reset() {
        if count == 0 { return }
        lists.removeAll(keepingCapacity: true)
        same.removeAll(keepingCapacity: true)
        last.removeAll(keepingCapacity: true)
        count = 0
    }

    /// The next state.
    ///
    /// - Parameters:
    ///   - hash: of the whole state, local variables included: equal for states with the same possible futures.
    ///   - enabled: the threads that can step.
    mutating func add(_ state: MachineState, hash: UInt64, enabled: UnsafeBufferPointer<UInt16>) {
        if isFull { return }
        count += 1
        let number = count
        list = lists[hash] ?? same.count
        if list == same.count {
            lists[hash] = list
            same.append([])
        }
        same[list].append(number)
        while last.count < state.threadCount { last.append(Last()) }
        for thread in enabled where state.isDue(Int(thread)) { last[Int(thread)].could = number }
        for thread in last.indices {
            if last[thread].could < number { last[thread].couldNot = number }
            if !state.waitsForTime(thread) {
                last[thread].waitsSince = 0
            } else if last[thread].waitsSince == 0 {
                last[thread].waitsSince = number
            }
        }
    }

    /// The thread steps from the last state.
    mutating func noteStep(of thread: Int) {
        if thread < last.count { last[thread].did = count }
    }

    /// Whether the last state closes such a cycle.
    func isInCycle(_ fairness: Rules.Fairness) -> Bool {
        if isFull || count == 0 { return false }
        // A thread has waited throughout if it did since the cycle's start, and has not stepped since.
        let earliest = last.lazy.filter { $0.waitsSince > 0 }.map { max($0.waitsSince, $0.did + 1) }.min() ?? count
        var latest = count - 1
        while let start = same[list].last(upTo: latest), start >= earliest {
            guard let bound = last.lazy.compactMap({ latestStart(upTo: start, for: $0, fairness) }).min() else {
                return true
            }
            latest = bound
        }
        return false
    }

    /// The last start up to this one of a cycle that treats the thread fairly, or none if this one does. That does not depend on the
    /// states in between, so an execution that goes around many times unfairly is not examined many times.
    private func latestStart(upTo start: Int, for thread: Last, _ fairness: Rules.Fairness) -> Int? {
        // The last state equals the first: what a thread can do in it, it could do at the cycle's start.
        let isFair = thread.did >= start || (fairness == .strong ? thread.could < start : thread.couldNot >= start)
        return isFair ? nil : fairness == .strong ? thread.did : max(thread.did, thread.couldNot)
    }
}

extension [Int] {
    /// The greatest number up to the limit; the numbers are in order.
    fileprivate func last(upTo limit: Int) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] <= limit { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? self[low - 1] : nil
    }
}

extension MachineState {
    /// Whether a fair scheduler owes the thread, which can step, a step: not if all that it can do is end a wait without a signal.
    package func isDue(_ thread: Int) -> Bool { !mayWakeSpuriously || ruling(on: thread).act != .leaveEarly }
}
