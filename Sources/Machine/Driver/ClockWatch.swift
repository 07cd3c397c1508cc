/// Detects that a thread waits for a deadline while the other threads only repeat themselves.
///
/// Virtual time is lazy: it passes when no thread can step. A spinning thread can always step, so beside it time would
/// never pass; on a real processor it does. So time also passes when the execution has closed a cycle of states that a
/// fair scheduler could follow forever, in which some thread waits for a deadline and takes no step.
///
/// It receives each state since time last passed, and compares the newest with all of them.
struct ClockWatch {
    /// What is known of one thread: numbers of states, from 1. Zero: there is no such state.
    private struct Last {
        /// The last state in which the thread could step.
        var could = 0
        /// The last state in which it could not.
        var couldNot = 0
        /// The last state from which it stepped.
        var did = 0
        /// The first state of its present wait for a deadline.
        var waitsSince = 0
    }

    /// By hash: the index in `visits` of the state.
    private var indexByHash: [UInt64: Int] = [:]
    /// For each different state, the numbers under which it was added, in ascending order.
    private var visits: [[Int]] = []
    /// The index in `visits` of the state that was added last.
    private var present = 0
    /// How many states have been added: the number of the last one.
    private var count = 0
    /// By thread.
    private var last: [Last] = []

    /// The limit of examined states since time last passed. Threads that have not closed a cycle by then hardly repeat
    /// themselves.
    private static let mostStates = 1 << 16
    private var isFull: Bool { count == Self.mostStates }

    /// Forgets all states, and keeps the memory: time has passed.
    mutating func reset() {
        if count == 0 { return }
        indexByHash.removeAll(keepingCapacity: true)
        visits.removeAll(keepingCapacity: true)
        last.removeAll(keepingCapacity: true)
        count = 0
    }

    /// Adds the next state.
    ///
    /// - Parameters:
    ///   - hash: of the whole state, local variables included, counters left out: equal for states that agree in
    ///     everything on which a cycle depends.
    ///   - enabled: the threads that can step.
    mutating func add(_ state: MachineState, hash: UInt64, enabled: UnsafeBufferPointer<UInt16>) {
        if isFull { return }
        count += 1
        let number = count
        present = indexByHash[hash] ?? visits.count
        if present == visits.count {
            indexByHash[hash] = present
            visits.append([])
        }
        visits[present].append(number)
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

    /// Whether the last state closes a fair cycle throughout which some thread waits for a deadline.
    func isInCycle(_ fairness: Rules.Fairness) -> Bool {
        if isFull || count == 0 { return false }
        // A thread waited during the whole cycle if its wait began before the cycle and it has not stepped since.
        let earliest = last.lazy.filter { $0.waitsSince > 0 }.map { max($0.waitsSince, $0.did + 1) }.min() ?? count
        var latest = count - 1
        while let start = visits[present].last(upTo: latest), start >= earliest {
            guard let fairStart = last.lazy.compactMap({ latestStart(upTo: start, for: $0, fairness) }).min() else {
                return true
            }
            latest = fairStart
        }
        return false
    }

    /// The latest state, up to `start`, at which a cycle that is fair to the thread can begin. Nil: the cycle from
    /// `start` is fair to it. The states in between need not be examined, and many unfair rounds are skipped at once.
    private func latestStart(upTo start: Int, for thread: Last, _ fairness: Rules.Fairness) -> Int? {
        // The last state equals the first: what a thread can do in the last one, it could do at the cycle's start.
        let isFair = thread.did >= start || (fairness == .strong ? thread.could < start : thread.couldNot >= start)
        return isFair ? nil : fairness == .strong ? thread.did : max(thread.did, thread.couldNot)
    }
}

extension [Int] {
    /// The greatest number up to the limit. The array must be in ascending order.
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
    /// Whether fairness demands that this enabled thread steps. It does not if all that the thread can do is to end a
    /// wait without a signal.
    package func isDue(_ thread: Int) -> Bool { !mayWakeSpuriously || ruling(on: thread).act != .leaveEarly }
}
