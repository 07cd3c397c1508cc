/// Detects that an execution is in a cycle that a fair scheduler could follow forever.
///
/// It receives each state and looks for the latest equal one before it: the steps in between can then be repeated. In
/// an unfair cycle the scheduler neglects a thread whose step might end the cycle. A fair one therefore contains a step
/// of every thread that can step somewhere in it (with weak fairness: everywhere in it), and of every thread that has a
/// deadline, since deadlines pass eventually. Nor does it contain a choice other than which thread steps: another
/// choice could leave it.
struct FairCycle {
    /// What is known of one thread: each number is how many states had been added when something was last true of it.
    /// Zero: never.
    private struct Last {
        /// The thread could step.
        var could = 0
        /// The thread could not step.
        var couldNot = 0
        /// The thread stepped.
        var did = 0
        /// The thread stepped, and made progress by it.
        var madeProgress = 0
    }

    /// By state: its hash.
    private var hashes: [UInt64] = []
    /// By state: its hash with counters, if `hashes` leave counters out and the search needs them; otherwise empty.
    /// States that differ only in counters close a cycle, but an execution need not end with the same values from both.
    private var wholeHashes: [UInt64] = []
    /// Under a weaker memory model, by state: see `WeakMemory.Mark`.
    private var marks: [WeakMemory.Mark] = []
    /// Under a weaker memory model, by state: the thread that stepped from it.
    private var steppers: [Int] = []
    /// Under a weaker memory model, by state: the threads that could not step in it, as bits.
    private var idle: [UInt64] = []
    /// The index of the first state after the last write of an atomic.
    private var lastWritten = 0
    /// A Bloom filter of the hashes: a state whose bit is not set is new.
    private var filter = [UInt64](repeating: 0, count: 64)
    /// Whether the filter had the last state already, so that the state may have occurred before.
    private var mayBeKnown = false
    /// By state, from index `planEnd` on: the thread whose step led to it.
    private var steppedBefore: [Int] = []
    /// The index of the state in which the chooser's plan ended.
    private var planEnd = 0
    /// By thread.
    private var last: [Last] = []
    /// How many states had been added at the last choice other than which thread steps.
    private var lastBranch = 0

    /// The greatest number of steps of a cycle that is found.
    static let longest = 1024

    /// Forgets all states, and keeps the memory.
    mutating func reset() {
        if hashes.isEmpty { return }
        hashes.removeAll(keepingCapacity: true)
        wholeHashes.removeAll(keepingCapacity: true)
        marks.removeAll(keepingCapacity: true)
        steppers.removeAll(keepingCapacity: true)
        idle.removeAll(keepingCapacity: true)
        lastWritten = 0
        for word in filter.indices { filter[word] = 0 }
        last.removeAll(keepingCapacity: true)
        steppedBefore.removeAll(keepingCapacity: true)
        lastBranch = 0
    }

    /// Adds the next state.
    ///
    /// - Parameters:
    ///   - hash: of the state, including local variables, without counters: equal for states with the same possible
    ///     futures.
    ///   - whole: the hash with counters. Nil: the program has none, or the search does not need it.
    ///   - enabled: the threads that can step.
    mutating func add(
        _ state: MachineState, hash: UInt64, whole: UInt64?, enabled: UnsafeBufferPointer<UInt16>
    ) {
        hashes.append(hash)
        if let whole { wholeHashes.append(whole) }
        if let memory = state.weakMemory {
            if marks.last?.writeCount != memory.mark.writeCount { lastWritten = marks.count }
            marks.append(memory.mark)
        }
        let (word, bit) = (Int(hash >> 6 & 63), UInt64(1) << (hash & 63))
        mayBeKnown = filter[word] & bit != 0
        filter[word] |= bit
        while last.count < state.threadCount { last.append(Last()) }
        for thread in enabled where state.isDue(Int(thread)) { last[Int(thread)].could = hashes.count }
        for thread in 0..<state.threadCount where state.hasDeadline(thread) { last[thread].could = hashes.count }
        for thread in last.indices where last[thread].could < hashes.count { last[thread].couldNot = hashes.count }
        if !marks.isEmpty {
            // A weaker model allows at most 16 threads (`ExecutionGraph.mostThreads`), so a word has a bit for each.
            idle.append(
                last.indices.reduce(0) { last[$1].could < hashes.count ? $0 | 1 << UInt64($1) : $0 })
        }
    }

    /// The thread steps from the last state.
    mutating func noteStep(of thread: Int) {
        // No thread is known before the first state.
        if thread < last.count { last[thread].did = hashes.count }
        if steppers.count < marks.count { steppers.append(thread) }
    }

    /// The thread has made progress in this step: it has done what it loops for.
    mutating func noteProgress(of thread: Int) {
        if thread < last.count { last[thread].madeProgress = hashes.count }
    }

    /// The step includes a choice other than which thread steps.
    mutating func noteBranch() { lastBranch = hashes.count }

    /// A cycle, which consists of the last steps of the execution.
    struct Cycle {
        /// The number of steps.
        let length: Int
        /// The index of the state with which it begins.
        fileprivate let start: Int
    }

    /// The cycle that the last state closes. Nil: it closes none, or only unfair ones.
    ///
    /// - Parameter length: the maximum number of its steps.
    func cycle(_ fairness: Rules.Fairness, upTo length: Int = longest) -> Cycle? {
        guard mayBeKnown, let present = hashes.last else { return nil }
        var start = hashes.count - 2
        if fairness == .strong {
            // A thread that can step now must have stepped in the cycle.
            for thread in last where thread.could == hashes.count { start = min(start, thread.did - 1) }
        }
        let earliest = max(lastBranch, hashes.count - 1 - length)
        while start >= earliest {
            if hashes[start] == present && hasReadNewest(since: start) && isFair(from: start, fairness) {
                return Cycle(length: hashes.count - 1 - start, start: start)
            }
            start -= 1
        }
        return nil
    }

    /// Whether every step on an atomic since this state has read the newest message, or put its own at the end. A cycle
    /// that does otherwise is not fair: a thread does not read older messages forever.
    ///
    /// - Parameter start: the state's index.
    private func hasReadNewest(since start: Int) -> Bool {
        marks.isEmpty || marks[start].staleCount == marks[marks.count - 1].staleCount
    }

    /// Whether the last state occurred before, and since then threads have read older messages and written none:
    /// whatever follows now could have followed then.
    var isRedundant: Bool {
        let hashes = wholeHashes.isEmpty ? hashes : wholeHashes
        guard mayBeKnown, let present = hashes.last, let mark = marks.last else { return false }
        var isLaterRound = false
        for index in lastWritten..<hashes.count - 1 where hashes[index] == present {
            // An access of a cell can race with what follows, so a first round with one is not redundant. A later round
            // is, because it is the first round of another execution.
            let mayBeLeftOut = isLaterRound || marks[index].accessCount == mark.accessCount
            if mayBeLeftOut && marks[index].staleCount < mark.staleCount { return true }
            isLaterRound = true
        }
        return false
    }

    /// The number of times that the execution has been in the last state.
    ///
    /// - Parameter isWhole: whether counters distinguish states.
    func visits(isWhole: Bool) -> Int {
        let hashes = isWhole && !wholeHashes.isEmpty ? wholeHashes : hashes
        guard mayBeKnown, let present = hashes.last else { return 1 }
        return hashes.count { $0 == present }
    }

    /// Under a weaker memory model: whether the execution has returned to the last state at least twice since an atomic
    /// was written, and the last round contains only steps of threads that had stepped in an earlier round, so that it
    /// makes no cycle fairer. With weak fairness, being unable to step counts like a step.
    ///
    /// Only since the last write, because the hash of a state does not show which messages exist.
    func repeatsUselessly(_ fairness: Rules.Fairness) -> Bool {
        let hashes = wholeHashes.isEmpty ? hashes : wholeHashes
        guard mayBeKnown, let present = hashes.last else { return false }
        // Threads as bits: those that stepped in earlier rounds, and in the round that follows the latest visit so far.
        var (inEarlierRounds, inRound): (UInt64, UInt64) = (0, 0)
        var wasVisited = false
        for index in lastWritten..<hashes.count - 1 {
            if hashes[index] == present {
                inEarlierRounds |= inRound
                inRound = 0
                wasVisited = true
            }
            guard wasVisited else { continue }
            inRound |= 1 << UInt64(steppers[index])
            if fairness == .weak { inRound |= idle[index] }
        }
        return wasVisited && inRound & ~inEarlierRounds == 0
    }

    /// Whether the last state has occurred before, after a step of the same thread. Only states since the first call in
    /// this execution count. Must be called for each of them.
    ///
    /// - Parameter thread: the one that stepped last.
    mutating func repeats(after thread: Int) -> Bool {
        if steppedBefore.isEmpty { planEnd = hashes.count - 1 }
        steppedBefore.append(thread)
        let last = steppedBefore.count - 1
        guard mayBeKnown else { return false }
        return (0..<last).contains { steppedBefore[$0] == thread && hashes[planEnd + $0] == hashes[planEnd + last] }
    }

    func steps(_ thread: Int, in cycle: Cycle) -> Bool { last[thread].did > cycle.start }

    func makesProgress(_ thread: Int, in cycle: Cycle) -> Bool { last[thread].madeProgress > cycle.start }

    /// - Parameter start: the state's index.
    private func isFair(from start: Int, _ fairness: Rules.Fairness) -> Bool {
        // The last state equals the first: what a thread can do in the last one, it could do at the cycle's start.
        last.allSatisfy { thread in
            thread.did > start || (fairness == .strong ? thread.could <= start : thread.couldNot > start)
        }
    }
}
