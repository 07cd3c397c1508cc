import Trace

/// Explains a deadlock: which threads wait for which, which locks they hold, and since which line.
struct DeadlockStory {
    let names: Names
    let graph: WaitForGraph
    let unwoken: UnwokenWaiters
    let calls: LoopCalls
    let operations: UnfinishedOperations

    // MARK: - A cycle

    func finding(_ cycles: [WaitCycle]) -> Finding {
        let story = cycles.flatMap { cycle in cycle.links.indices.map { line(cycle, $0) } }
        let links = cycles.flatMap(\.links)
        let waits = waitsBehind(cycles)
        let reasons = UnwokenStory(names, waits, unwoken)
        return Finding(
            isOfQueues(links) ? .queueCycle : .deadlock, summary: summary(cycles[0]),
            story: story + waits.map { "Behind them, \(line($0))" } + reasons.lines + operations.lines(names),
            advice: advice(links) ?? reasons.advice, threads: links.map(\.thread),
            objects: links.compactMap { $0.wait.object },
            sites: cycles.flatMap { cycle in cycle.links.indices.flatMap { sites(cycle, $0) } },
            fault: fault(cycles[0]))
    }

    private func summary(_ cycle: WaitCycle) -> String {
        let threads = names.list(cycle.threads)
        switch cycle.links.count {
        case 1: return "\(threads) waits for itself and can never continue."
        case 2: return "\(threads) wait for each other; neither can ever continue."
        default: return "\(threads) wait for each other in a cycle; none can ever continue."
        }
    }

    /// Where the thread at the index took its lock of the cycle, and where it waits.
    private func sites(_ cycle: WaitCycle, _ index: Int) -> [SiteID] {
        [previous(cycle, index).hold?.site, cycle.links[index].wait.site].compactMap(\.self)
    }

    /// The link before the one at the index. Its `hold` is the lock that the thread at the index holds.
    private func previous(_ cycle: WaitCycle, _ index: Int) -> WaitCycle.Link {
        cycle.links[(index + cycle.links.count - 1) % cycle.links.count]
    }

    /// For example
    /// `first holds a (taken at Deadlock.swift:31) and waits for b at Deadlock.swift:33, which second holds.`
    private func line(_ cycle: WaitCycle, _ index: Int) -> String {
        let link = cycle.links[index]
        let held = previous(cycle, index).hold.map { "\(names.holding($0)) and " } ?? ""
        return "\(names.name(link.thread)) \(held)\(waiting(link))."
    }

    /// What the thread of the link waits for, and which thread keeps it waiting.
    private func waiting(_ link: WaitCycle.Link) -> String {
        let wait = names.words(link.wait)
        let next = names.name(link.next)
        let holder = link.next == link.thread ? "it" : next
        switch link.wait.target {
        case .thread: return wait
        case .reading where link.hold == nil: return "\(wait), behind \(next), which waits to write it"
        case .mutex, .reading, .writing, .semaphore, .condition, .memory, .spin:
            let own = link.next == link.thread ? " itself" : ""
            let isQueue = link.hold.map { names.isQueue($0.object) } == true
            return isQueue ? "\(wait), of which \(holder) runs a block\(own)" : "\(wait), which \(holder) holds\(own)"
        }
    }

    /// The waits of the threads that are in no cycle and can never continue either.
    private func waitsBehind(_ cycles: [WaitCycle]) -> [Wait] {
        let others = graph.stuckForever.subtracting(cycles.flatMap(\.threads))
        return graph.blocked.filter { others.contains($0.thread) }
    }

    /// Whether a thread waits for a queue while another thread, or itself, runs a block of that queue.
    private func isOfQueues(_ links: [WaitCycle.Link]) -> Bool {
        links.contains { $0.hold.map { names.isQueue($0.object) } == true }
    }

    private func advice(_ links: [WaitCycle.Link]) -> String? {
        if isOfQueues(links) {
            return links.count == 1
                ? "A queue is no recursive lock: a block must not wait for a queue of which it is a block."
                : "If no block waited for another queue, or all in the same order, no such cycle could form."
        }
        if links.allSatisfy({ $0.hold != nil && $0.next != $0.thread }) {
            return "If every thread took these locks in the same order, no such cycle could form."
        }
        return nil
    }

    // MARK: - No cycle

    /// The finding if every thread is blocked, and there is no cycle.
    var findingWithoutCycle: Finding {
        let stuck = graph.blocked.filter { graph.isStuck($0.thread) }
        let reasons = UnwokenStory(names, stuck, unwoken)
        var story = stuck.map(line) + reasons.lines
        for wait in stuck { if let loop = calls.loop(awaitedBy: wait, names) { story.append(whyNoCall(loop)) } }
        story += operations.lines(names)
        let waitsForCall = stuck.contains { calls.loop(awaitedBy: $0, names) != nil }
        let reason = operations.summary(names)
        return Finding(
            reason != nil ? .operationNotRun : waitsForCall ? .callNotMade : .endlessWait,
            summary: reason ?? summary(stuck), story: story, advice: nestingAdvice(stuck) ?? reasons.advice,
            threads: stuck.map(\.thread), objects: stuck.compactMap(\.object),
            sites: stuck.map(\.site) + reasons.sites + (reason != nil ? operations.sites : []),
            fault: reason != nil ? operations.sites.first ?? .unknown : fault(stuck, reasons))
    }

    /// The finding if a thread spins: it keeps a processor busy, but waits nevertheless. Nil if no thread spins.
    var findingOfSpinning: Finding? {
        let stuck = graph.blocked.filter { graph.isStuck($0.thread) }
        let spinning = stuck.filter(\.isSpinning)
        guard !spinning.isEmpty else { return nil }
        let spins = spinning.count == 1 ? "spins" : "spin"
        let objects = Names.list(Set(spinning.compactMap(\.object)).sorted().map(names.name))
        return Finding(
            .livelock,
            summary: "\(names.list(spinning.map(\.thread))) \(spins) forever: no thread is left to change \(objects).",
            story: stuck.map(line), advice: advice(spinning: spinning),
            threads: stuck.map(\.thread), objects: stuck.compactMap(\.object), sites: stuck.map(\.site),
            fault: spinning[0].site)
    }

    /// The advice depends on whether the object is a spin lock. Other memory may be a flag, and a thread that blocked
    /// instead would wait for it just as long.
    private func advice(spinning: [Wait]) -> String {
        let others = spinning.first { wait in wait.object.flatMap { names.trace.object($0)?.kind } != .spinLock }
        guard let wait = others, let object = wait.object else {
            return "A thread that waits for a lock should block, so that its holder can run."
        }
        return
            "Make sure that some thread always writes to \(names.name(object)) what \(names.name(wait.thread)) waits for."
    }

    /// Names the threads that wait for a signal, if there are any, as the cause. Threads that wait for these to end are
    /// only a consequence.
    private func summary(_ stuck: [Wait]) -> String {
        let waitForSignal = stuck.filter { $0.condition != nil }
        if !waitForSignal.isEmpty {
            let verb = waitForSignal.count == 1 ? "waits" : "wait"
            let doing = "\(names.list(waitForSignal.map(\.thread))) \(verb)"
            let conditions = distinctConditions(of: waitForSignal)
            guard conditions.allSatisfy(names.isPart) else {
                return "\(doing) for a signal that no remaining thread can send."
            }
            let loops = waitForSignal.compactMap { calls.loop(awaitedBy: $0, names) }
            if loops.count == waitForSignal.count {
                let makers = Names.list(Set(loops).sorted().map(names.name))
                return "\(doing) for a call that \(makers) will never make."
            }
            return "\(doing) \(needs(waitForSignal))"
        }
        let waitForPermit = stuck.filter { $0.semaphore.map(names.isPart) == false }
        if !waitForPermit.isEmpty {
            let verb = waitForPermit.count == 1 ? "waits" : "wait"
            let semaphores = Names.list(Set(waitForPermit.compactMap(\.semaphore)).sorted().map(names.name))
            return "\(names.list(waitForPermit.map(\.thread))) \(verb) for a permit of \(semaphores) that no remaining "
                + "thread can give."
        }
        let others = stuck.filter { wait in if case .thread = wait.target { false } else { true } }
        let threads = (others.isEmpty ? stuck : others).map(\.thread)
        let verb = threads.count == 1 ? "waits" : "wait"
        return "\(names.list(threads)) \(verb) for something that no remaining thread can provide."
    }

    /// What threads wait for inside built objects, and the actual state, to follow `waits`:
    /// `for buffer at HAS_DATA, and it is at NO_DATA: no thread is left to change that.`
    private func needs(_ waits: [Wait]) -> String {
        var needs: [String] = []
        for need in waits.compactMap(names.need) where !needs.contains(need) { needs.append(need) }
        let states = Set(waits.map(names.state))
        let isOfOne = Set(waits.map { $0.said?.object }).count == 1
        if isOfOne, let parties = waits.first.flatMap(names.parties), let barrier = waits.first?.said?.object {
            let have = waits.count == 1 ? "has" : "have"
            let come = "\(waits.count) of \(parties) threads \(have) come, and no other is left to come."
            return "for \(names.name(barrier)): \(come)"
        }
        if isOfOne, states.count == 1, let state = states.first ?? nil {
            return "for \(Names.list(needs)), and it is \(state): no thread is left to change that."
        }
        return "for \(Names.list(needs)), and no thread is left to wake \(waits.count == 1 ? "it" : "them")."
    }

    /// Why the run loop does not make a call that was queued for it.
    private func whyNoCall(_ loop: ObjectID) -> String {
        let thread = names.trace.object(loop)?.maker ?? .main
        let (loopName, name) = (names.name(loop), names.name(thread))
        if graph.wasKilled(thread) { return "\(loopName) makes no more calls: \(name) was killed." }
        if graph.hasEnded(thread) { return "\(loopName) makes no more calls: \(name) has ended." }
        guard calls.isRunning(loop) else { return "\(loopName) makes no calls while \(name) does not run it." }
        return "\(loopName) makes no calls while a handler is in progress, and only in a mode of the call."
    }

    /// What a stuck thread holds and waits for. If the holder of the awaited lock has ended, the sentence says so.
    private func line(_ wait: Wait) -> String {
        if let loop = calls.loop(awaitedBy: wait, names) {
            let doing = "\(names.name(wait.thread)) waits\(names.at(wait.site))"
            return "\(doing) for a call that \(names.name(loop)) has to make."
        }
        let blockers = graph.blockers(of: wait.thread).filter { graph.hold(awaitedBy: wait, of: $0) != nil }
        let dead = blockers.first(where: graph.hasEnded)
        let end = dead.map { graph.wasKilled($0) ? "was killed" : "ended" }
        let doing = names.words(
            wait, heldBy: dead.map { [$0] } ?? blockers, verb: end.map { "still held when it \($0)" })
        return "\(names.name(wait.thread)) \(held(wait.thread))\(doing)."
    }

    /// The thread's locks for which other threads wait: `holds house (taken at Monitor.lab:13) and `.
    private func held(_ thread: ThreadID) -> String {
        let awaited = awaitedHolds(of: thread)
        return awaited.isEmpty ? "" : Names.list(awaited.map(names.holding)) + " and "
    }

    /// The thread's locks for which other threads wait.
    private func awaitedHolds(of thread: ThreadID) -> [Hold] {
        graph.locks(of: thread).filter { hold in
            graph.blocked.contains { $0.isForLock && $0.object == hold.object && $0.thread != thread }
        }
    }

    /// Advice for a thread that waits for a condition or a permit while it holds other locks, which the wait does not
    /// release.
    private func nestingAdvice(_ stuck: [Wait]) -> String? {
        let nested = stuck.first { wait in
            (wait.condition != nil || wait.semaphore != nil) && !awaitedHolds(of: wait.thread).isEmpty
        }
        guard let wait = nested else { return nil }
        if let semaphore = wait.semaphore { return nestingAdvice(wait, semaphore) }
        let kept = Names.list(awaitedHolds(of: wait.thread).map { names.name($0.object) })
        return "A wait releases only the condition's own mutex: wait without holding \(kept), "
            + "so that other threads can come to signal."
    }

    private func nestingAdvice(_ wait: Wait, _ semaphore: ObjectID) -> String {
        let holds = awaitedHolds(of: wait.thread)
        let kept = Names.list(holds.map { names.name($0.object) })
        let keptOut = graph.blocked.filter { other in
            other.isForLock && other.thread != wait.thread && holds.contains { $0.object == other.object }
        }.map(\.thread)
        let waiter = names.name(wait.thread)
        return "Take the permit of \(names.name(semaphore)) before \(kept): while \(waiter) waits for it and holds "
            + "\(kept), it keeps out \(names.list(keptOut)), which might give one."
    }

    private func distinctConditions(of waits: [Wait]) -> [ObjectID] {
        var seen: Set<ObjectID> = []
        return waits.compactMap(\.condition).filter { seen.insert($0).inserted }
    }
}
