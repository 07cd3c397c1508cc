import Trace

/// Finds potential deadlocks: threads that take the same locks in orders that can form a cycle in another run.
///
/// When a thread takes a lock while it holds others, there is an edge from each of these to the new one (GoodLock:
/// Havelund, 2000). A cycle of edges is reported only if the threads could really wait for each other:
///
/// - Each edge belongs to a different thread.
/// - No lock that two of the threads hold keeps one of them out.
/// - Where one thread waits for a lock that the next one holds, at least one of the two uses it exclusively.
/// - No edge is ordered after another by the creation or the end of a thread, or by a semaphore.
/// - No semaphore excludes one of the threads. That is assumed if all of them hold a permit of it, and fewer permits
///   than there are threads in the cycle were ever in use at once.
///
/// Attempts, and waits with a time limit, are not edges, because such a thread continues. Exclusion by atomics is not
/// recognized.
package struct LockOrderDetector: Detector {
    /// What threads have seen of each other through creations, ends and semaphores alone.
    private var lives = HappensBefore()
    private var permits = Permits()
    /// Whether the thread's next lock operation is an attempt, or a wait with a time limit.
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

    /// Each lock that was taken while another was held, sorted by the lock that was held.
    package var edges: [LockOrderEdge] { graph.all }

    package var cycles: [[LockOrderEdge]] { graph.cycles(where: isPossible) }

    /// Whether no semaphore keeps the threads of the cycle from being at their edges at the same time.
    private func isPossible(_ cycle: [LockOrderEdge]) -> Bool {
        !cycle[0].permits.contains { semaphore in
            permits.most(of: semaphore) < cycle.count && cycle.allSatisfy { $0.permits.contains(semaphore) }
        }
    }
}
