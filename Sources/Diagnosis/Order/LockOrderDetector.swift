import Trace

/// Potential deadlocks: threads that take the same locks in orders that can form a cycle in another run.
///
/// Each lock that is taken while others are held is an edge from these to it (GoodLock: Havelund, 2000). A cycle of
/// edges is reported only if each edge belongs to a different thread, no lock that two of the threads hold excludes one
/// of them, at least one of the two holds that meet in a lock is exclusive, and no edge is ordered after another by a
/// thread's creation, a thread's end or a semaphore. Attempts, and waits with a time limit, do not end an edge, because
/// such a thread continues. A semaphore is assumed to exclude the other threads if the number of its permits in use was
/// never as great as the number of threads in the cycle. Exclusion by atomics is not recognized.
package struct LockOrderDetector: Detector {
    private var lives = HappensBefore()
    private var permits = Permits()
    private var tries = PerThread(false)
    private var graph = LockOrderGraph()

    package init() {}

    package mutating func consume(_ event: Event, _ run: RunState) {
        guard !run.isOver else { return }
        let effect = event.kind.effect
        if effect == .attempt { tries[event.thread] = true }
        if event.lockChange?.to != nil { take(event, run) }
        if effect.createsThread || effect.endsThread || effect == .joinThread { lives.consume(event) }
        if effect == .takePermit || effect == .givePermit {
            lives.consume(event)
            permits.consume(event)
        }
    }

    private mutating func take(_ event: Event, _ run: RunState) {
        let thread = event.thread
        let isTry = tries[thread]
        if isTry { tries[thread] = false }
        guard !isTry, !graph.isFull, case .taken = run.heldChange else { return }
        var held = run.locks(of: thread)
        guard held.count > 1 else { return }
        let to = held.removeLast()
        let clock = lives.clock(of: thread)
        let semaphores = permits.semaphores(of: thread)
        for from in held {
            graph.add(
                LockOrderEdge(thread: thread, from: from, to: to, held: held, permits: semaphores, clock: clock))
        }
    }

    package func findings(in names: Names, _ run: RunState) -> [Finding] {
        let isHarmless = !run.graph.blocked.contains { run.graph.isStuck($0.thread) }
        return cycles.map { LockOrderStory(names: names, cycle: $0, isHarmless: isHarmless).finding }
    }

    /// Each lock that was taken while another was held, by lock.
    package var edges: [LockOrderEdge] { graph.all }

    package var cycles: [[LockOrderEdge]] { graph.cycles(where: isPossible) }

    private func isPossible(_ cycle: [LockOrderEdge]) -> Bool {
        !cycle[0].permits.contains { semaphore in
            permits.most(of: semaphore) < cycle.count && cycle.allSatisfy { $0.permits.contains(semaphore) }
        }
    }
}
