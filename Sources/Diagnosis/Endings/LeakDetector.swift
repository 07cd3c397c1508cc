import Trace

/// Finds threads that were not waited for. A joinable thread that is never joined is a leak: the system keeps its stack
/// forever. A detached thread that was still running when the main thread returned was cut off.
package struct LeakDetector: Detector {
    /// How a thread was created, and what became of it.
    private struct Created {
        var site: SiteID
        var creator: ThreadID
        var isDetached = false
        var isJoined = false
        var hasEnded = false
    }

    private var created = PerThread<Created?>(nil)
    /// The workers of pools, each with the locks that it holds. A queue counts as a lock that a worker holds while it
    /// runs a block of the queue.
    private var workers = PerThread<Set<ObjectID>?>(nil)
    /// Whether the run ended by itself, in a way that ends its threads.
    private var hasReachedEnd = false

    package init() {}

    package mutating func consume(_ event: Event, _ run: RunState) {
        let effect = event.kind.effect
        guard !run.isOver else {
            // A run that can continue forever could still join its threads.
            if effect.isOwnEnd && effect != .endRun(.forever) { hasReachedEnd = true }
            return
        }
        if effect.endsThread { created[event.thread]?.hasEnded = true }
        if let thread = event.valueAsThread {
            if case .createThread(let isDetached) = effect {
                created[thread] = Created(site: event.site, creator: event.thread, isDetached: isDetached)
            }
            if effect == .joinThread { created[thread]?.isJoined = true }
            if effect == .detachThread { created[thread]?.isDetached = true }
        }
        if effect.takesLock { workers[event.thread]?.insert(event.object) }
        if effect.releasesLock { workers[event.thread]?.remove(event.object) }
        if event.kind == .queueServe, let worker = event.valueAsThread { workers[worker] = [] }
        // The worker counts as idle from here on: the rest of the block only wakes threads that wait for the operation.
        if event.kind == .operationFinish { workers[event.thread]? = [] }
    }

    package func findings(in names: Names, _ run: RunState) -> [Finding] {
        guard hasReachedEnd else { return [] }
        return [leaked(names), cutOff(names, run)].compactMap(\.self)
    }

    /// The created threads that fulfill a condition.
    private func threads(_ fits: (Created) -> Bool) -> [(thread: ThreadID, created: Created)] {
        created.all.compactMap { entry in entry.value.flatMap { fits($0) ? (entry.key, $0) : nil } }
    }

    private func leaked(_ names: Names) -> Finding? {
        let leaked = threads { !$0.isJoined && !$0.isDetached }
        guard !leaked.isEmpty else { return nil }
        let verb = leaked.count == 1 ? "was" : "were"
        return Finding(
            .leakedThread,
            summary: "\(names.list(leaked.map(\.thread))) \(verb) never joined or detached.",
            story: leaked.map { birth($0.thread, $0.created, names) + fate($0.created) },
            advice: "Join the thread to wait for its end, or detach it if no other thread waits for it.",
            threads: leaked.map(\.thread), sites: leaked.map(\.created.site))
    }

    private func fate(_ created: Created) -> String {
        created.hasEnded
            ? "; it ended, but its resources were never released."
            : "; it was still running when the process ended, and was terminated."
    }

    private func cutOff(_ names: Names, _ run: RunState) -> Finding? {
        let cutOff = threads { $0.isDetached && !$0.hasEnded }.filter { !isIdle($0.thread, names) }
        guard !cutOff.isEmpty else { return nil }
        let verb = cutOff.count == 1 ? "was" : "were"
        return Finding(
            .cutOffThread,
            summary: "\(names.list(cutOff.map(\.thread))) \(verb) still running when the process ended, "
                + "and \(verb) terminated.",
            story: cutOff.map { birth($0.thread, $0.created, names) + lastAct($0.thread, names, run) },
            threads: cutOff.map(\.thread),
            sites: cutOff.flatMap { [$0.created.site, run.lastEvents[$0.thread]?.site ?? .unknown] })
    }

    /// Whether the thread is a worker that runs no block.
    private func isIdle(_ thread: ThreadID, _ names: Names) -> Bool {
        workers[thread].map { held in !held.contains(where: names.isQueue) } ?? false
    }

    private func lastAct(_ thread: ThreadID, _ names: Names, _ run: RunState) -> String {
        guard let last = run.lastEvents[thread] else { return "; it had not started." }
        return "; its last event is \(names.trace.name(of: last))\(names.at(last.site))."
    }

    private func birth(_ thread: ThreadID, _ created: Created, _ names: Names) -> String {
        "\(names.name(created.creator)) created \(names.name(thread))\(names.at(created.site))"
    }
}
