/// Detects that an execution is in a cycle that a fair scheduler could follow forever: a livelock.
///
/// It receives each state, and finds the latest earlier one that is the same: the steps in between can be repeated. The
/// cycle is fair if it contains a step of every thread that could step somewhere in it, or that has a deadline, since
/// deadlines pass eventually. Otherwise only the scheduler keeps a thread from continuing, and that thread might end
/// the cycle. The only choices in the cycle may be which thread steps: any other choice could leave the cycle.
struct FairCycle {
    private var hashes: [UInt64] = []
    /// By thread: the number of states after which it last could step, and last did. Zero: never.
    private var lastCould: [Int] = []
    private var lastDid: [Int] = []
    /// The number of states after which something else was chosen.
    private var lastBranch = 0

    /// Longer cycles are not found.
    private static let longest = 1024

    /// Forgets all states, and keeps the memory.
    mutating func reset() {
        if hashes.isEmpty { return }
        hashes.removeAll(keepingCapacity: true)
        lastCould.removeAll(keepingCapacity: true)
        lastDid.removeAll(keepingCapacity: true)
        lastBranch = 0
    }

    /// The next state.
    ///
    /// - Parameters:
    ///   - hash: of the whole state, local variables included: equal for states with the same possible futures.
    ///   - enabled: the threads that can step.
    mutating func add(_ state: MachineState, hash: UInt64, enabled: UnsafeBufferPointer<UInt16>) {
        hashes.append(hash)
        while lastCould.count < state.threadCount {
            lastCould.append(0)
            lastDid.append(0)
        }
        for thread in enabled { lastCould[Int(thread)] = hashes.count }
        for thread in 0..<state.threadCount where state.hasDeadline(thread) { lastCould[thread] = hashes.count }
    }

    /// The thread steps from the last state.
    mutating func noteStep(of thread: Int) {
        if thread < lastDid.count { lastDid[thread] = hashes.count }
    }

    /// The step includes a choice other than which thread steps.
    mutating func noteBranch() { lastBranch = hashes.count }

    /// The length, in steps, of the cycle that the last state closes. Nil: it closes none, or only unfair ones.
    var length: Int? {
        guard let last = hashes.last else { return nil }
        var start = hashes.count - 2
        // A thread that can step now must have done so in the cycle.
        for thread in lastCould.indices where lastCould[thread] == hashes.count {
            start = min(start, lastDid[thread] - 1)
        }
        let earliest = max(lastBranch, hashes.count - 1 - Self.longest)
        while start >= earliest {
            if hashes[start] == last && isFair(from: start) { return hashes.count - 1 - start }
            start -= 1
        }
        return nil
    }

    /// - Parameter start: the state's index.
    private func isFair(from start: Int) -> Bool {
        // The last state equals the first: what a thread can do in it, it could do at the cycle's start.
        lastCould.indices.allSatisfy { lastCould[$0] <= start || lastDid[$0] > start }
    }
}

extension MachineState {
    /// Whether the thread continues when enough time has passed, whatever the others do.
    package func hasDeadline(_ thread: Int) -> Bool {
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
