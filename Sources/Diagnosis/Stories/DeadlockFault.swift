import Trace

/// The place of the mistake in a deadlock: one line, for formats that mark one. A thread that only waits for the end of
/// a stuck one is not at fault.
extension DeadlockStory {
    /// The call that closes the cycle: of the cycle's waits for locks, or else of all its waits, the one that began last.
    func fault(_ cycle: WaitCycle) -> SiteID {
        let waits = cycle.links.map(\.wait)
        let forLocks = waits.filter { $0.isForLock }
        return graph.latest(of: forLocks.isEmpty ? waits : forLocks)?.site ?? .unknown
    }

    /// Without a cycle: what should have woken a thread and did not, or else the first wait that no thread can end. If
    /// all of them wait for a lock, it is the one that a thread still held when it ended, and the place where it was
    /// taken.
    ///
    /// - Parameter stuck: the waits of all threads.
    func fault(_ stuck: [Wait], _ reasons: UnwokenStory) -> SiteID {
        if let place = reasons.fault { return place }
        if let wait = stuck.first(where: { graph.blockers(of: $0.thread).isEmpty && $0.site != .unknown }) {
            return wait.site
        }
        for wait in stuck where wait.isForLock {
            let dead = graph.blockers(of: wait.thread).first(where: graph.hasEnded)
            if let hold = dead.flatMap({ graph.hold(awaitedBy: wait, of: $0) }) { return hold.site }
        }
        return stuck.first { $0.isForLock }?.site ?? .unknown
    }
}
