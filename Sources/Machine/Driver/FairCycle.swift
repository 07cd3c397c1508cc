/// Detects that an execution is in a cycle that a fair scheduler could follow forever.
///
/// It receives each state, and finds the latest earlier one that is the same: the steps in between can be repeated. The
/// cycle is fair if it contains a step of every thread that could step somewhere in it (with weak fairness: everywhere), or
/// that has a deadline, since deadlines pass eventually. Otherwise only the scheduler keeps a thread from continuing, and that
/// thread might end the cycle. The only choices in the cycle may be which thread steps: any other choice could leave the cycle.
struct FairCycle {
    /// By thread: the number of states after which something was last so. Zero: never.
    private struct Last {
        /// It could step; it could not; it did.
        var could = 0
        var couldNot = 0
        var did = 0
        var madeProgress = 0
    }

    private var hashes: [UInt64] = []
    /// The same of the whole states, where `hashes` leave out what only counts: what differs only in that goes in a cycle, but need not end
    /// with the same values. Otherwise empty.
    private var wholes: [UInt64] = []
    /// Under a weaker memory model, by state: see `WeakMemory.Mark`.
    private var marks: [WeakMemory.Mark] = []
    /// The same: the thread that stepped from it.
    private var steppers: [Int] = []
    /// The same: the threads that could not step in it, as bits.
    private var idle: [UInt64] = []
    /// The first state since an atomic was written.
    private var lastWritten = 0
    /// A bit for some bits of each hash: a state whose bit is not set has not been before.
    private var filter = [UInt64](repeating: 0, count: 64)
    private var mayBeKnown = false
    /// By state, from `planEnd` on: the thread that stepped before.
    private var steppedBefore: [Int] = []
    private var planEnd = 0
    private var last: [Last] = []
    /// The number of states after which something else was chosen.
    private var lastBranch = 0

    /// Longer cycles are not found.
    static let longest = 1024

    /// Forgets all states, and keeps the memory.
    mutating func reset() {
        if hashes.isEmpty { return }
        hashes.removeAll(keepingCapacity: true)
        wholes.removeAll(keepingCapacity: true)
        marks.removeAll(keepingCapacity: true)
        steppers.removeAll(keepingCapacity: true)
        idle.removeAll(keepingCapacity: true)
        lastWritten = 0
        for word in filter.indices { filter[word] = 0 }
        last.removeAll(keepingCapacity: true)
        steppedBefore.removeAll(keepingCapacity: true)
        lastBranch = 0
    }

    /// The next state.
    ///
    /// - Parameters:
    ///   - hash: of the state, local variables included: equal for states from which the same can happen.
    ///   - whole: the same with what only counts. Nil: nothing does.
    ///   - enabled: the threads that can step.
    mutating func add(
        _ state: MachineState, hash: UInt64, whole: UInt64?, enabled: UnsafeBufferPointer<UInt16>
    ) {
        hashes.append(hash)
        if let whole { wholes.append(whole) }
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
            idle.append(
                last.indices.reduce(0) { last[$1].could < hashes.count ? $0 | 1 << UInt64($1) : $0 })
        }
    }

    /// The thread steps from the last state.
    mutating func noteStep(of thread: Int) {
        if thread < last.count { last[thread].did = hashes.count }
        if steppers.count < marks.count { steppers.append(thread) }
    }

    /// In this step the thread has done what it loops for.
    mutating func noteProgress(of thread: Int) {
        if thread < last.count { last[thread].madeProgress = hashes.count }
    }

    /// The step includes a choice other than which thread steps.
    mutating func noteBranch() { lastBranch = hashes.count }

    /// A cycle, in steps: the last ones of the execution.
    struct Cycle {
        let length: Int
        fileprivate let start: Int
    }

    /// The cycle that the last state closes. Nil: it closes none, or only unfair ones.
    ///
    /// - Parameter length: the maximum number of its steps.
    func cycle(_ fairness: Rules.Fairness, upTo length: Int = longest) -> Cycle? {
        guard mayBeKnown, let present = hashes.last else { return nil }
        var start = hashes.count - 2
        if fairness == .strong {
            // A thread that can step now must have done so in the cycle.
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

    /// A thread does not read older messages forever.
    private func hasReadNewest(since start: Int) -> Bool {
        marks.isEmpty || marks[start].staleCount == marks[marks.count - 1].staleCount
    }

    /// Whether the last state was there before, and in between threads have read older messages and written none: what comes
    /// now could have come then.
    var isRedundant: Bool {
        let hashes = wholes.isEmpty ? hashes : wholes
        guard mayBeKnown, let present = hashes.last, let mark = marks.last else { return false }
        var hasBeen = false
        for index in lastWritten..<hashes.count - 1 where hashes[index] == present {
            // An access of a cell can race with what comes later: the first round with it is kept.
            let isSpare = hasBeen || marks[index].accessCount == mark.accessCount
            if isSpare && marks[index].staleCount < mark.staleCount { return true }
            hasBeen = true
        }
        return false
    }

    /// How often the execution has been in the last state.
    ///
    /// - Parameter isWhole: whether what only counts distinguishes states.
    func visits(isWhole: Bool) -> Int {
        let hashes = isWhole && !wholes.isEmpty ? wholes : hashes
        guard mayBeKnown, let present = hashes.last else { return 1 }
        return hashes.count { $0 == present }
    }

    /// Under a weaker memory model: whether the execution has been in the last state at least twice since an atomic was written, and
    /// all threads that have stepped since the last time had stepped before it: so the steps since then make no cycle fairer. With weak
    /// fairness, to be unable to step counts as well.
    ///
    /// Before an atomic was written there were other messages, which the hash of a state does not show.
    func repeatsInVain(_ fairness: Rules.Fairness) -> Bool {
        let hashes = wholes.isEmpty ? hashes : wholes
        guard mayBeKnown, let present = hashes.last else { return false }
        var (earlier, since): (UInt64, UInt64) = (0, 0)
        var hasBeen = false
        for index in lastWritten..<hashes.count - 1 {
            if hashes[index] == present {
                earlier |= since
                since = 0
                hasBeen = true
            }
            guard hasBeen else { continue }
            since |= 1 << UInt64(steppers[index])
            if fairness == .weak { since |= idle[index] }
        }
        return hasBeen && since & ~earlier == 0
    }

    /// Whether the last state has been before, since this was first asked in the execution, and the same thread had stepped.
    ///
    /// - Parameter thread: the one that stepped last.
    mutating func repeats(after thread: Int) -> Bool {
        if steppedBefore.isEmpty { planEnd = hashes.count - 1 }
        steppedBefore.append(thread)
        let last = steppedBefore.count - 1
        guard mayBeKnown else { return false }
        return (0..<last).contains { steppedBefore[$0] == thread && hashes[planEnd + $0] == hashes[planEnd + last] }
    }

    /// Whether the thread takes steps in the cycle.
    func steps(_ thread: Int, in cycle: Cycle) -> Bool { last[thread].did > cycle.start }

    /// Whether the thread makes progress in the cycle.
    func makesProgress(_ thread: Int, in cycle: Cycle) -> Bool { last[thread].madeProgress > cycle.start }

    /// - Parameter start: the state's index.
    private func isFair(from start: Int, _ fairness: Rules.Fairness) -> Bool {
        // The last state equals the first: what a thread can do in it, it could do at the cycle's start.
        last.allSatisfy { thread in
            thread.did > start || (fairness == .strong ? thread.could <= start : thread.couldNot > start)
        }
    }
}
